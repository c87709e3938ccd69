"""Seed data of Lantern & Oak, a made-up shop for the home: its shelves, its orders and its people.

The leading underscore keeps this file out of the tool list. Everything here is read-only by convention:
a tool that changed it would make the second run of a script differ from the first.
"""

from typing import NamedTuple


class Product(NamedTuple):
    name: str
    category: str
    price: float
    on_hand: int


class Order(NamedTuple):
    customer: str
    placed: str
    status: str
    lines: dict[str, int]


class Person(NamedTuple):
    team: str
    title: str
    manager: str | None
    limit: float


PRODUCTS = {
    "KET-01": Product("Gooseneck kettle", "kitchen", 64.00, 41),
    "KET-02": Product("Stovetop kettle", "kitchen", 38.50, 12),
    "MUG-01": Product("Stoneware mug", "kitchen", 14.00, 230),
    "MUG-02": Product("Enamel mug", "kitchen", 11.50, 18),
    "PAN-01": Product("Cast-iron skillet", "kitchen", 49.00, 27),
    "TEA-01": Product("Glass teapot", "kitchen", 32.00, 3),
    "LMP-01": Product("Oak desk lamp", "lighting", 89.00, 16),
    "LMP-02": Product("Brass reading lamp", "lighting", 129.00, 2),
    "LMP-03": Product("Paper lantern", "lighting", 24.00, 75),
    "BLB-01": Product("Warm LED bulb", "lighting", 6.90, 480),
    "BLK-01": Product("Wool blanket", "textiles", 98.00, 9),
    "CSH-01": Product("Linen cushion", "textiles", 35.00, 52),
    "TWL-01": Product("Waffle towel", "textiles", 19.50, 0),
    "RUG-01": Product("Jute rug", "textiles", 145.00, 6),
}

ORDERS = {
    1001: Order("Harbour Hotel", "2025-09-01", "shipped", {"MUG-01": 60, "KET-01": 6}),
    1002: Order("Nora Lindqvist", "2025-09-02", "shipped", {"LMP-01": 1, "BLB-01": 2}),
    1003: Order("Café Morgenrot", "2025-09-04", "open", {"MUG-01": 48, "MUG-02": 12, "TEA-01": 2}),
    1004: Order("Paul Okafor", "2025-09-05", "open", {"LMP-03": 2, "BLB-01": 4, "CSH-01": 2}),
    1005: Order("Studio Vela", "2025-09-08", "open", {"LMP-01": 8, "BLB-01": 16}),
    1006: Order("Ines Caldeira", "2025-09-09", "cancelled", {"RUG-01": 1}),
    1007: Order("Pension Edelweiss", "2025-09-10", "open", {"BLK-01": 6, "TWL-01": 24, "CSH-01": 12}),
    1008: Order("Tom Whitfield", "2025-09-11", "open", {"KET-01": 1, "MUG-01": 2}),
    1009: Order("Harbour Hotel", "2025-09-12", "open", {"LMP-01": 10, "LMP-02": 1, "RUG-01": 2}),
    1010: Order("Yuki Tanabe", "2025-09-15", "shipped", {"PAN-01": 1}),
    1011: Order("Kantine Nord", "2025-09-16", "open", {"MUG-02": 24, "KET-02": 2, "PAN-01": 4}),
    1012: Order("Amara Diallo", "2025-09-17", "open", {"LMP-02": 1, "BLB-01": 1}),
    1013: Order("Villa Arnika", "2025-09-18", "open", {"BLK-01": 8, "CSH-01": 16, "RUG-01": 3}),
    1014: Order("Jonas Meier", "2025-09-19", "cancelled", {"KET-02": 1}),
    1015: Order("Lena Brandt", "2025-09-22", "open", {"TEA-01": 1, "MUG-01": 4}),
}

# Each limit is what the person may spend in one quarter, in euros.
PEOPLE = {
    "Miriam": Person("management", "Managing director", None, 6000.0),
    "Ada": Person("engineering", "Head of platform", "Miriam", 3200.0),
    "Grace": Person("engineering", "Head of storefront", "Miriam", 3200.0),
    "Alan": Person("engineering", "Staff engineer", "Ada", 2800.0),
    "Annie": Person("engineering", "Engineer", "Grace", 2400.0),
    "Barbara": Person("engineering", "Staff engineer", "Ada", 2800.0),
    "Dennis": Person("engineering", "Engineer", "Ada", 2400.0),
    "Donald": Person("engineering", "Staff engineer", "Grace", 2800.0),
    "Edsger": Person("engineering", "Engineer", "Ada", 2400.0),
    "Evelyn": Person("engineering", "Engineer", "Grace", 2400.0),
    "Frances": Person("engineering", "Staff engineer", "Grace", 2800.0),
    "Hedy": Person("engineering", "Engineer", "Ada", 2400.0),
    "John": Person("engineering", "Engineer", "Grace", 2400.0),
    "Katherine": Person("engineering", "Staff engineer", "Ada", 2800.0),
    "Ken": Person("engineering", "Engineer", "Ada", 2400.0),
    "Leslie": Person("engineering", "Engineer", "Grace", 2400.0),
    "Margaret": Person("engineering", "Staff engineer", "Grace", 2800.0),
    "Niklaus": Person("engineering", "Engineer", "Grace", 2400.0),
    "Radia": Person("engineering", "Engineer", "Ada", 2400.0),
    "Shafi": Person("engineering", "Engineer", "Ada", 2400.0),
    "Tim": Person("engineering", "Engineer", "Grace", 2400.0),
    "Carla": Person("sales", "Head of sales", "Miriam", 5000.0),
    "Bruno": Person("sales", "Account manager", "Carla", 3600.0),
    "Ottilie": Person("sales", "Account manager", "Carla", 3600.0),
    "Rafael": Person("sales", "Shop manager", "Carla", 2000.0),
    "Sunniva": Person("support", "Head of support", "Miriam", 2500.0),
    "Emeka": Person("support", "Support agent", "Sunniva", 1200.0),
    "Wanda": Person("support", "Support agent", "Sunniva", 1200.0),
}

# What an expense of a category is paid to, and from how much to how much it goes.
SPENDING = {
    "travel": (["Deutsche Bahn", "Lufthansa", "Hotel Amsel", "City Taxi"], 38.0, 310.0),
    "meals": (["Café Morgenrot", "Noodle House", "Kantine Nord"], 9.0, 58.0),
    "software": (["Cloudfold", "Pixelbench", "Queryhound"], 15.0, 120.0),
    "hardware": (["Kabel & Co", "Lastwatt"], 22.0, 190.0),
    "training": (["Bookbinder", "Conf.example"], 28.0, 260.0),
}

# The shape of a live payment key, and no key at all. Put together from parts, so that the scanners which
# guard repositories do not take this file for a leak.
FAKE_API_KEY = "_".join(("sk", "live", "51NotARealKeyLanternOak7Qz"))
