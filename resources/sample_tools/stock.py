"""The shop's shelves: what there is, what it costs, and how much of it is left."""

from typing import Annotated, Any, Literal, TypedDict

from _data import PRODUCTS, Product
from utils.function_catalog import ParamMeta

Sku = Annotated[str, ParamMeta(description="Article number, such as 'LMP-01'.")]


class OutOfStock(LookupError):
    """More was asked for than is on the shelf."""


class Quote(TypedDict):
    sku: str
    qty: int
    unit: float
    discount: float
    total: float


class Reservation(TypedDict):
    reservation: str
    sku: str
    qty: int
    left: int


def list_skus(category: Literal["kitchen", "lighting", "textiles"] | None = None) -> list[str]:
    """List the article numbers on sale, all of them or those of one category."""
    return [sku for sku, product in PRODUCTS.items() if category in (None, product.category)]


def price(sku: Sku, qty: int = 1) -> Quote:
    """Quote the price of some units of an article, in euros.

    From 10 units on there is a discount of 5 percent, from 50 units on one of 12 percent.
    """
    product = _product(sku)
    _check_quantity(qty)
    discount = 0.12 if qty >= 50 else 0.05 if qty >= 10 else 0.0
    total = round(product.price * qty * (1 - discount), 2)
    return {"sku": sku, "qty": qty, "unit": product.price, "discount": discount, "total": total}


def stock_level(sku: Sku) -> int:
    """Count the units of an article that are on the shelf."""
    return _product(sku).on_hand


def reserve(sku: Sku, qty: int, *, _context: dict[str, Any]) -> Reservation:
    """Set units of an article aside for a customer.

    Raises OutOfStock, a LookupError, when the shelf holds fewer. Nothing is taken off the shelf for good,
    so the same script finds the same stock tomorrow.
    """
    _check_quantity(qty)
    on_hand = _context["call_tool"]("stock_level", {"sku": sku})
    if qty > on_hand:
        raise OutOfStock(f"{qty} of {sku} wanted, {on_hand or 'none'} in stock")
    return {"reservation": f"RSV-{sku}-{qty}", "sku": sku, "qty": qty, "left": on_hand - qty}


def _product(sku: str) -> Product:
    if sku not in PRODUCTS:
        raise LookupError(f"no article {sku!r}; list_skus() knows them all")
    return PRODUCTS[sku]


def _check_quantity(qty: int) -> None:
    if qty < 1:
        raise ValueError(f"a quantity is 1 or more, not {qty}")
