using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;

namespace PtcKit
{
    /// <summary>Makes what the JSON reader gave into the type that the script wants.</summary>
    static class Convert
    {
        public static object To(Type type, object value)
        {
            var inner = Nullable.GetUnderlyingType(type);
            if (value == null)
            {
                if (type.IsValueType && inner == null)
                {
                    throw new MismatchException($"is null, not {Name(type)}");
                }
                return null;
            }
            type = inner ?? type;
            if (type.IsInstanceOfType(value))
            {
                return value;
            }
            if (type.IsEnum && value is string name && Enum.IsDefined(type, name))
            {
                return Enum.Parse(type, name);
            }
            if (value is string text)
            {
                return OfText(type, text);
            }
            if (value is Record record)
            {
                return OfRecord(type, record);
            }
            if (value is List<object> list)
            {
                return OfList(type, list);
            }
            return OfNumber(type, value);
        }

        static object OfText(Type type, string text)
        {
            var invariant = CultureInfo.InvariantCulture;
            try
            {
                if (type == typeof(DateTime))
                {
                    return DateTime.Parse(text, invariant, DateTimeStyles.RoundtripKind);
                }
                if (type == typeof(DateTimeOffset))
                {
                    return DateTimeOffset.Parse(text, invariant);
                }
                if (type == typeof(Guid))
                {
                    return Guid.Parse(text);
                }
                if (type == typeof(Uri))
                {
                    return new Uri(text, UriKind.RelativeOrAbsolute);
                }
                if (type == typeof(byte[]))
                {
                    return System.Convert.FromBase64String(text);
                }
                if (type == typeof(char) && text.Length == 1)
                {
                    return text[0];
                }
            }
            catch (FormatException)
            {
                // Told as what it is, below.
            }
            throw Mismatch(type, text);
        }

        static object OfNumber(Type type, object value)
        {
            var wanted = System.Type.GetTypeCode(type);
            var wholeWanted = TypeCode.SByte <= wanted && wanted <= TypeCode.UInt64;
            var fraction = value is double number && wholeWanted && number != Math.Floor(number);
            if (value is bool || fraction || !(wholeWanted || wanted >= TypeCode.Single && wanted <= TypeCode.Decimal))
            {
                throw Mismatch(type, value);
            }
            try
            {
                return System.Convert.ChangeType(value, type, CultureInfo.InvariantCulture);
            }
            catch (OverflowException)
            {
                throw Mismatch(type, value);
            }
        }

        static object OfList(Type type, List<object> list)
        {
            if (type.IsArray)
            {
                var array = Array.CreateInstance(type.GetElementType(), list.Count);
                Fill(list, type.GetElementType(), (i, item) => array.SetValue(item, i));
                return array;
            }
            if (!type.IsGenericType || type.GetGenericArguments().Length != 1)
            {
                throw Mismatch(type, list);
            }
            var element = type.GetGenericArguments()[0];
            var made = typeof(List<>).MakeGenericType(element);
            if (!type.IsAssignableFrom(made))
            {
                // Such as a set: whatever can be made of a list.
                made = type.IsInterface ? typeof(HashSet<>).MakeGenericType(element) : type;
            }
            if (!type.IsAssignableFrom(made) || made.GetConstructor(System.Type.EmptyTypes) == null)
            {
                throw Mismatch(type, list);
            }
            var items = Activator.CreateInstance(made);
            var add = made.GetMethod("Add", new[] { element });
            Fill(list, element, (i, item) =>
            {
                if (items is IList plain)
                {
                    plain.Add(item);
                }
                else
                {
                    add.Invoke(items, new[] { item });
                }
            });
            return items;
        }

        static void Fill(List<object> list, Type element, Action<int, object> put)
        {
            for (var i = 0; i < list.Count; i++)
            {
                put(i, Within($"[{i}]", element, list[i]));
            }
        }

        static object OfRecord(Type type, Record record)
        {
            var map = MapType(type);
            if (map != null)
            {
                var made = (IDictionary)Activator.CreateInstance(map);
                var parts = map.GetGenericArguments();
                foreach (var entry in record)
                {
                    made[System.Convert.ChangeType(entry.Key, parts[0], CultureInfo.InvariantCulture)] =
                        Within("." + entry.Key, parts[1], entry.Value);
                }
                return made;
            }
            var makeable = type.IsValueType ? !type.IsPrimitive : type.GetConstructor(System.Type.EmptyTypes) != null;
            if (!makeable)
            {
                throw Mismatch(type, record);
            }
            var result = Activator.CreateInstance(type);
            foreach (var entry in record)
            {
                var member = Shape.Named(type, entry.Key);
                if (member?.Set != null)
                {
                    member.Set(result, Within("." + entry.Key, member.Type, entry.Value));
                }
            }
            return result;
        }

        static Type MapType(Type type)
        {
            if (!type.IsGenericType || type.GetGenericArguments().Length != 2)
            {
                return null;
            }
            var map = typeof(Dictionary<,>).MakeGenericType(type.GetGenericArguments());
            return type.IsAssignableFrom(map) ? map : null;
        }

        static object Within(string step, Type type, object value)
        {
            try
            {
                return To(type, value);
            }
            catch (MismatchException mismatch)
            {
                var inner = mismatch.Message;
                var rest = inner.StartsWith("at ") ? inner.Substring(3) : " " + inner;
                throw new MismatchException("at " + step + rest);
            }
        }

        static MismatchException Mismatch(Type type, object value)
        {
            var kind = value is Record ? "an object" : value is List<object> ? "a list" : value is string ? "a text"
                : value is bool ? "a boolean" : System.Convert.ToString(value, CultureInfo.InvariantCulture);
            return new MismatchException($"is {kind}, not {Name(type)}");
        }

        static string Name(Type type)
        {
            return type.IsGenericType ? type.Name.Split('`')[0] : type.Name;
        }
    }
}
