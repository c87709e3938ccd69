"""The shop's order book."""

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from _data import ORDERS, PRODUCTS

Status = Literal["open", "shipped", "cancelled"]


@dataclass(frozen=True)
class Item:
    sku: str
    qty: int = 1


class OrderSummary(TypedDict):
    order_id: int
    customer: str
    placed: str
    status: str


class OrderLine(TypedDict):
    sku: str
    name: str
    qty: int
    amount: float


class OrderDetail(OrderSummary):
    lines: list[OrderLine]
    total: float


class Basket(TypedDict):
    currency: str
    lines: int
    total: float


class Fulfilment(TypedDict):
    order_id: int
    status: Literal["ready", "partial"]
    reserved: list[str]
    missing: list[str]


def list_orders(status: Status | None = None) -> list[OrderSummary]:
    """List the orders, oldest first, all of them or those in one status.

    Their lines are left out: get_order has them.
    """
    return [_summary(order_id) for order_id, order in ORDERS.items() if status in (None, order.status)]


def get_order(order_id: int) -> OrderDetail:
    """Look up one order with its lines and its total in euros."""
    summary = _summary(order_id)
    lines = [_line(sku, qty) for sku, qty in ORDERS[order_id].lines.items()]
    return {**summary, "lines": lines, "total": round(sum(line["amount"] for line in lines), 2)}


def price_basket(items: list[Item], currency: Literal["EUR", "SEK", "USD"] = "EUR") -> Basket:
    """Add up what a basket of articles costs, at list price and a fixed exchange rate."""
    unknown = [item.sku for item in items if item.sku not in PRODUCTS]
    if unknown:
        raise LookupError(f"no article {unknown[0]!r}; list_skus() knows them all")
    rate = {"EUR": 1.0, "SEK": 11.2, "USD": 1.1}[currency]
    total = sum(PRODUCTS[item.sku].price * item.qty for item in items)
    return {"currency": currency, "lines": len(items), "total": round(total * rate, 2)}


def fulfil_order(order_id: int, *, _context: dict[str, Any]) -> Fulfilment:
    """Reserve every line of an open order, and say which articles are missing.

    A line that is short does not stop the others.
    """
    call_tool = _context["call_tool"]
    order = call_tool("get_order", {"order_id": order_id})
    if order["status"] != "open":
        raise ValueError(f"order {order_id} is {order['status']}, only an open one can be fulfilled")
    reserved, missing = [], []
    for line in order["lines"]:
        try:
            reservation = call_tool("reserve", {"sku": line["sku"], "qty": line["qty"]})
        except LookupError:
            missing.append(line["sku"])
        else:
            reserved.append(reservation["reservation"])
    return {
        "order_id": order_id,
        "status": "partial" if missing else "ready",
        "reserved": reserved,
        "missing": missing,
    }


def _summary(order_id: int) -> OrderSummary:
    if order_id not in ORDERS:
        raise LookupError(f"no order {order_id}; they run from {min(ORDERS)} to {max(ORDERS)}")
    order = ORDERS[order_id]
    return {"order_id": order_id, "customer": order.customer, "placed": order.placed, "status": order.status}


def _line(sku: str, qty: int) -> OrderLine:
    product = PRODUCTS[sku]
    return {"sku": sku, "name": product.name, "qty": qty, "amount": round(product.price * qty, 2)}
