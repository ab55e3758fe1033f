"""What runs beside the connections ends without a word when the server does."""

import warnings

from server.gateway.node import Tasks


async def test_a_server_stopped_in_its_first_instant_leaves_nothing_unsaid() -> None:
    async def work() -> None:
        raise AssertionError("it has not been begun")

    tasks = Tasks()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        begun = work()
        tasks.spawn(begun)
        await tasks.stop()
    assert begun.cr_frame is None, "it is closed, so that nothing warns of it later"
