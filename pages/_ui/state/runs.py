"""The state of the runs: the current run of each page, links to runs, and the last deletion."""

from collections import Counter
from typing import Final

from ia_engine.runs.folder import Record
from pages._ui.state.fields import Collected, InAddress, InSession

LINK: Final = "job"
"""The parameter of an address that names a run."""


class RunsState:
    """What the session and the address remember about runs. Runs are named by their ids."""

    link = InAddress(LINK)
    """The run that the address names: its id; in links of the app, a dot and a number follow."""
    followed = InSession("run opened last", "")
    """The link that was followed last. It stays in the address when another run is started."""
    current: Collected[dict[str, str]] = Collected("runs shown on the pages", dict)
    """The run that was started or opened last, by the page that shows it."""
    started = InSession("runs begun", 0)
    """How many runs were started. Links contain it, so that they are followed again afterwards."""
    under_way: Collected[dict[str, Record]] = Collected("records of runs under way", dict)
    """The records of started runs, by id: the same run is not started twice."""
    deleted: InSession[tuple[str, str] | None] = InSession("run that was deleted last", None)
    """The id and the title of the run that can be restored."""
    times_named: Collected[Counter[str]] = Collected("times that a name was saved of", Counter)
    """Number of times that each run was named; part of the key of its form, which closes then."""

    @property
    def linked_run(self) -> str:
        """The id of the run that the address names; "" if it names none."""
        return (self.link or "").partition(".")[0]

    def make_link(self, run: str) -> str:
        """The value of the parameter for a link that opens this run, even if followed before."""
        return f"{run}.{self.started}"

    def follow_link(self, page: str) -> str | None:
        """The current run of this page, after following a link that was not followed before."""
        if self.link and self.link != self.followed:
            self.followed = self.link
            self.current[page] = self.linked_run
        return self.current.get(page)

    def show(self, page: str, run: str) -> None:
        """Make this run the current one of its page, as if it had been started now."""
        self.current[page] = run
        self.started += 1

    def name_in_address(self, run: str) -> None:
        """Let the address name a run that is current already."""
        self.link = self.followed = run


runs_state: Final = RunsState()
