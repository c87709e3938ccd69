using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace PtcKit
{
    using Frame = Dictionary<string, object>;

    /// <summary>
    /// The guest's end of the two pipes. A script of one thread reads its answers itself; as soon as several calls are
    /// under way, or one is awaited, a thread of the kit's own reads for all.
    /// </summary>
    sealed class Channel
    {
        readonly int input, output;
        readonly object writing = new object(), state = new object();
        Dictionary<long, TaskCompletionSource<Frame>> waiting;
        byte[] buffer = new byte[1 << 16];
        int filled, used;
        long lastId;
        bool reading, served, closed;

        public Channel(int input, int output)
        {
            this.input = input;
            this.output = output;
        }

        /// <summary>
        /// Sends one frame, which ends with a newline; after the last one nothing is sent, and the thread waits
        /// for its end.
        /// </summary>
        public void Send(string frame, bool last = false)
        {
            var data = Encoding.UTF8.GetBytes(frame);
            lock (writing)
            {
                if (closed)
                {
                    Thread.Sleep(Timeout.Infinite);
                }
                closed = last;
                try
                {
                    Descriptors.Write(output, data);
                }
                catch (IOException)
                {
                    Host.Leave(1);
                }
            }
        }

        /// <summary>Waits for the next frame; null when the host has closed the channel.</summary>
        public Frame Receive()
        {
            for (var at = used; ; at++)
            {
                if (at == filled)
                {
                    MakeRoom(ref at);
                    var count = Descriptors.Read(input, buffer, filled);
                    if (count == 0)
                    {
                        return null;
                    }
                    filled += count;
                }
                if (buffer[at] == '\n')
                {
                    var text = Encoding.UTF8.GetString(buffer, used, at - used);
                    used = at + 1;
                    return (Frame)JsonReader.Read(text);
                }
            }
        }

        /// <summary>
        /// Moves what has been read to the front of the buffer, or makes that twice as large if it is full.
        /// </summary>
        void MakeRoom(ref int at)
        {
            Buffer.BlockCopy(buffer, used, buffer, 0, filled - used);
            at -= used;
            filled -= used;
            used = 0;
            if (filled == buffer.Length)
            {
                Array.Resize(ref buffer, 2 * filled);
            }
        }

        public Frame Call(Call call)
        {
            long id;
            TaskCompletionSource<Frame> answer = null;
            lock (state)
            {
                id = ++lastId;
                if (!Host.OneThread)
                {
                    Serve();
                    answer = waiting[id] = Awaited();
                }
                reading = answer == null;
            }
            if (answer != null)
            {
                Send(Head(id, false) + call.Rest);
                return answer.Task.GetAwaiter().GetResult();
            }
            Send(Head(id, true) + call.Rest);
            return ReadUntil(id);
        }

        public Task<Frame> CallAsync(Call call)
        {
            TaskCompletionSource<Frame> answer;
            long id;
            lock (state)
            {
                Serve();
                id = ++lastId;
                answer = waiting[id] = Awaited();
            }
            Send(Head(id, false) + call.Rest);
            return answer.Task;
        }

        /// <summary>Waits until the host has closed the channel, or ends this process.</summary>
        public void AwaitEnd()
        {
            if (!served)
            {
                while (Descriptors.Read(input, buffer, 0) > 0)
                {
                }
            }
            else
            {
                Thread.Sleep(Timeout.Infinite);
            }
        }

        static TaskCompletionSource<Frame> Awaited()
        {
            return new TaskCompletionSource<Frame>(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        static string Head(long id, bool wait)
        {
            return "{\"type\":\"call\",\"id\":" + id + ",\"wait\":" + (wait ? "true" : "false");
        }

        /// <summary>
        /// Has a thread read from now on; if somebody reads at the moment, as soon as that one is done.
        /// </summary>
        void Serve()
        {
            if (served)
            {
                return;
            }
            served = true;
            waiting = new Dictionary<long, TaskCompletionSource<Frame>>();
            var thread = new Thread(() =>
            {
                lock (state)
                {
                    while (reading)
                    {
                        Monitor.Wait(state);
                    }
                }
                ReadUntil(0);
            });
            thread.IsBackground = true;
            thread.Start();
        }

        /// <summary>Hands out answers until that of the reader itself comes.</summary>
        Frame ReadUntil(long own)
        {
            while (true)
            {
                var frame = Receive();
                if (frame == null)
                {
                    Host.Leave(1);
                }
                var id = frame.TryGetValue("id", out var given) && given != null ? System.Convert.ToInt64(given) : 0;
                if (id == own && own != 0)
                {
                    lock (state)
                    {
                        reading = false;
                        Monitor.PulseAll(state);
                    }
                    return frame;
                }
                TaskCompletionSource<Frame> answer;
                lock (state)
                {
                    answer = null;
                    if (waiting != null && waiting.TryGetValue(id, out answer))
                    {
                        waiting.Remove(id);
                    }
                }
                if (answer != null)
                {
                    answer.SetResult(frame);
                }
                else if ((string)frame["type"] == "error")
                {
                    Console.Error.WriteLine("ptc: " + frame["message"]);
                }
            }
        }
    }
}
