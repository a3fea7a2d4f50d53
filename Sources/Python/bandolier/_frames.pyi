# The types of packages that this one does not require, for annotations.
from matplotlib.axes import Axes as Axes
from pandas import DataFrame as PandasFrame
from polars import DataFrame as PolarsFrame

__all__ = ["Axes", "PandasFrame", "PolarsFrame"]
