using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace PtcKit
{
    /// <summary>A property or field of an object.</summary>
    sealed class Member
    {
        public string Name;
        public Type Type;
        public Func<object, object> Get;
        public Action<object, object> Set;
    }

    /// <summary>What an object is made of: its public properties and fields.</summary>
    static class Shape
    {
        static readonly ConcurrentDictionary<Type, Member[]> known = new ConcurrentDictionary<Type, Member[]>();

        public static Member[] Of(Type type)
        {
            return known.GetOrAdd(type, Members);
        }

        /// <summary>The member for a name in JSON: `card_token` is CardToken, too.</summary>
        public static Member Named(Type type, string name)
        {
            var members = Of(type);
            return members.FirstOrDefault(member => member.Name == name)
                ?? members.FirstOrDefault(member => Plain(member.Name) == Plain(name));
        }

        static string Plain(string name)
        {
            return name.Replace("_", "").Replace("-", "").ToLowerInvariant();
        }

        static Member[] Members(Type type)
        {
            const BindingFlags Public = BindingFlags.Public | BindingFlags.Instance;
            var members = new List<Member>();
            foreach (var property in type.GetProperties(Public))
            {
                if (property.CanRead && property.GetIndexParameters().Length == 0)
                {
                    var member = new Member { Name = property.Name, Type = property.PropertyType };
                    member.Get = target => property.GetValue(target, null);
                    if (property.CanWrite)
                    {
                        member.Set = (target, value) => property.SetValue(target, value, null);
                    }
                    members.Add(member);
                }
            }
            foreach (var field in type.GetFields(Public))
            {
                var member = new Member { Name = field.Name, Type = field.FieldType };
                member.Get = field.GetValue;
                member.Set = field.SetValue;
                members.Add(member);
            }
            return members.ToArray();
        }
    }
}
