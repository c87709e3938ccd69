using System;
using System.IO;
using System.Runtime.InteropServices;

namespace PtcKit
{
    /// <summary>
    /// The system's own calls for file descriptors: the class library knows only those that it opened.
    /// </summary>
    static class Descriptors
    {
        const int Interrupted = 4, SetFlags = 2, CloseOnExec = 1;
        const int ParentDeathSignal = 1, ChildSubreaper = 36, Kill = 9;

        [DllImport("libc", SetLastError = true)]
        static extern unsafe IntPtr read(int descriptor, byte* buffer, IntPtr count);

        [DllImport("libc", SetLastError = true)]
        static extern unsafe IntPtr write(int descriptor, byte* buffer, IntPtr count);

        [DllImport("libc")]
        static extern int fcntl(int descriptor, int command, int argument);

        [DllImport("libc")]
        static extern int prctl(int option, IntPtr value, IntPtr b, IntPtr c, IntPtr d);

        /// <summary>
        /// Fills the buffer from that place on as far as there is something; how many bytes it was, 0 at the
        /// end.
        /// </summary>
        public static unsafe int Read(int descriptor, byte[] buffer, int from)
        {
            fixed (byte* start = buffer)
            {
                while (true)
                {
                    var count = (int)read(descriptor, start + from, (IntPtr)(buffer.Length - from));
                    if (count >= 0 || Marshal.GetLastWin32Error() != Interrupted)
                    {
                        return Math.Max(count, 0);
                    }
                }
            }
        }

        public static unsafe void Write(int descriptor, byte[] data)
        {
            fixed (byte* start = data)
            {
                for (var done = 0; done < data.Length;)
                {
                    var count = (int)write(descriptor, start + done, (IntPtr)(data.Length - done));
                    if (count < 0 && Marshal.GetLastWin32Error() != Interrupted)
                    {
                        throw new IOException("the channel is closed");
                    }
                    done += Math.Max(count, 0);
                }
            }
        }

        /// <summary>Keeps the descriptors from the script's children.</summary>
        public static void Keep(params int[] descriptors)
        {
            foreach (var descriptor in descriptors)
            {
                fcntl(descriptor, SetFlags, CloseOnExec);
            }
        }

        /// <summary>
        /// The process dies with its parent, and adopts the orphans of its children, so that the host finds
        /// them.
        /// </summary>
        public static void BindToFamily()
        {
            try
            {
                prctl(ParentDeathSignal, (IntPtr)Kill, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero);
                prctl(ChildSubreaper, (IntPtr)1, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero);
            }
            catch (EntryPointNotFoundException)
            {
                // Only Linux has it.
            }
        }
    }
}
