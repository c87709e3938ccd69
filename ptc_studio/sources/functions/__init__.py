"""A folder of Python functions as tools, in this process or in processes of their own."""

from ptc_studio.sources.functions.annotations import ParamMeta
from ptc_studio.sources.functions.catalog import FunctionCatalog
from ptc_studio.sources.functions.process_catalog import ProcessFunctionCatalog

__all__ = ["FunctionCatalog", "ParamMeta", "ProcessFunctionCatalog"]
