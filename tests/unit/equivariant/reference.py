"""Equations 14-20 written out: all responses are stored, and filters are rotated by torch.rot90."""

import torch
from torch.nn import functional


def turn(x, element):
    """Apply an element of p4m to the last two axes: mirror, then rotate anticlockwise."""
    mirrored = x.flip(-1) if element >= 4 else x
    return torch.rot90(mirrored, element % 4, (-2, -1))


def all_responses(layer, f):
    """R [n o h i h~ y x]."""
    c = layer.convolution
    weight = c.weight.unflatten(2, (c.depth, c.kernel, c.kernel))
    rows = []
    for h in range(c.poses):
        for t in range(c.depth):
            psi = turn(weight[:, :, c.group.table[c.group.inverse[h]][t] if c.depth > 1 else 0], h)
            for i in range(f.shape[1]):
                one = f[:, i, t][:, None]
                rows.append(
                    functional.conv2d(one, psi[:, i][:, None] * c.haar, None, c.stride, c.padding)
                )
    R = torch.stack(rows, 2).unflatten(2, (c.poses, c.depth, f.shape[1]))
    return R.transpose(3, 4)


def attend(layer, f):
    """out [n o h y x], α_C [n o h i h~] and α_X [n o h h~ y x]."""
    R = all_responses(layer, f)
    alpha_c = channel_attention(layer, R)
    alpha_x = spatial_attention(layer, alpha_c[..., None, None] * R)
    attended = R - alpha_x[:, :, :, None] * alpha_c[..., None, None] * R
    return attended.sum((3, 4)), alpha_c, alpha_x


def channel_attention(layer, R):
    if layer.channels is None:
        return torch.ones_like(R[..., 0, 0])
    c = layer.convolution
    alpha = torch.empty_like(R[..., 0, 0])
    statistics = R.mean((-2, -1)), R.amax((-2, -1))
    for h in range(c.poses):
        for t in range(c.depth):
            shift = c.group.table[c.group.inverse[h]][t] if c.depth > 1 else 0
            for o in range(R.shape[1]):
                down, up = layer.channels.down[o, shift], layer.channels.up[o, shift]
                s = [(x[:, o, h, :, t] @ down.T).relu() @ up.T for x in statistics]
                alpha[:, o, h, :, t] = (s[0] + s[1]).sigmoid()
    return alpha


def spatial_attention(layer, attended):
    c, places = layer.convolution, layer.places
    statistics = torch.stack([attended.mean(3), attended.amax(3)], -1)  # [n o h h~ y x 2]
    alpha = torch.ones_like(statistics[..., 0])
    if places is None:
        return alpha
    weight = places.weight.unflatten(2, (c.depth, places.kernel, places.kernel))
    for h in range(c.poses):
        for t in range(c.depth):
            shift = c.group.table[c.group.inverse[h]][t] if c.depth > 1 else 0
            for o in range(attended.shape[1]):
                psi = turn(weight[o, :, shift], h)[None]
                s = statistics[:, o, h, t].movedim(-1, 1)
                alpha[:, o, h, t] = functional.conv2d(s, psi, padding=places.kernel // 2)[
                    :, 0
                ].sigmoid()
    return alpha


def attend_input(layer, f):
    """out [n o h y x] of α_F or α_RH: the sum of all responses to the attenuated input."""
    attention = layer.attention
    if hasattr(attention, "poses"):
        minus = convolve(attention.poses, f).sigmoid()
    else:
        channel = channels_of_input(attention, f)[..., None, None]
        statistics = torch.stack([(channel * f).mean(1), (channel * f).amax(1)], 1)
        minus = convolve(attention.places, statistics).sigmoid() * (
            channel if channel.shape[2] == f.shape[2] else channel[:, :, :1]
        )
    left = f - minus * f
    if left.shape[2] == f.shape[2]:
        return all_responses(layer, left).sum((3, 4))
    poses = [all_responses(layer, left[:, :, h, None])[:, :, h] for h in range(left.shape[2])]
    return torch.stack(poses, 2).sum((3, 4))


def channels_of_input(attention, f):
    """α_C [n c h] (20): two convolutions on H alone."""

    def on_poses(convolution, s):
        return convolve(convolution, s[..., None, None])[..., 0, 0]

    def ask(s):
        return on_poses(attention.up, on_poses(attention.down, s).relu())

    return (ask(f.mean((3, 4))) + ask(f.amax((3, 4)))).sigmoid()


def convolve(c, f):
    """A group convolution pose by pose, [n o h y x]."""
    weight = c.weight.unflatten(2, (c.depth, c.kernel, c.kernel))
    rows = []
    for h in range(c.poses):
        total = 0
        for t in range(c.depth):
            psi = turn(weight[:, :, c.group.table[c.group.inverse[h]][t] if c.depth > 1 else 0], h)
            total = total + functional.conv2d(f[:, :, t], psi * c.haar, None, 1, c.padding)
        rows.append(total)
    return torch.stack(rows, 2)
