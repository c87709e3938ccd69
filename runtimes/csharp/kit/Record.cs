using System;
using System.Collections.Generic;
using System.Dynamic;
using System.Linq.Expressions;

namespace PtcKit
{
    /// <summary>An object of a result: a dictionary, and with `dynamic` also `result.name`.</summary>
    public class Record : Dictionary<string, object>, IDynamicMetaObjectProvider
    {
        public DynamicMetaObject GetMetaObject(Expression parameter)
        {
            return new Access(parameter, this);
        }

        public object Member(string name)
        {
            if (TryGetValue(name, out var value))
            {
                return value;
            }
            throw new KeyNotFoundException($"the result has no '{name}', only {string.Join(", ", Keys)}");
        }

        public object Assign(string name, object value)
        {
            return this[name] = value;
        }

        sealed class Access : DynamicMetaObject
        {
            public Access(Expression expression, Record record)
                : base(expression, BindingRestrictions.Empty, record) { }

            public override DynamicMetaObject BindGetMember(GetMemberBinder binder)
            {
                if (typeof(Record).GetProperty(binder.Name) != null)
                {
                    return base.BindGetMember(binder);
                }
                return Calling(nameof(Member), Expression.Constant(binder.Name));
            }

            public override DynamicMetaObject BindSetMember(SetMemberBinder binder, DynamicMetaObject value)
            {
                var given = Expression.Convert(value.Expression, typeof(object));
                return Calling(nameof(Assign), Expression.Constant(binder.Name), given);
            }

            DynamicMetaObject Calling(string method, params Expression[] arguments)
            {
                var self = Expression.Convert(Expression, typeof(Record));
                var call = Expression.Call(self, typeof(Record).GetMethod(method), arguments);
                return new DynamicMetaObject(call, BindingRestrictions.GetTypeRestriction(Expression, LimitType));
            }
        }
    }
}
