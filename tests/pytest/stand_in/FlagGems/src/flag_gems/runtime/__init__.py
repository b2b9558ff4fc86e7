import torch

from . import backend  # noqa: F401

torch_device_fn = torch.device
