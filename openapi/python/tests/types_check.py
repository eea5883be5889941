"""What type checkers know of answers; checked, never run: see test_generated.py."""

from __future__ import annotations

from typing_extensions import assert_type

from umpire_client import AsyncUmpire, Connection, Umpire, models

AnyLegal = models.drako.Legal | models.dragut.Legal | models.doubloons.Legal


def sync(umpire: Umpire, record: models.drako.GameRecord) -> None:
    verdict = umpire.validate(record).verdict
    verdict.statis  # type: ignore[union-attr]
    if verdict.violation is not None:
        assert_type(verdict.violation.rule, str)
    detail = umpire.game("drako")
    if isinstance(detail, models.drako.GameDetail):
        assert_type(detail.components.decks.dragon[0].count, int)
    umpire.create_table("chess")  # type: ignore[arg-type]
    made = umpire.create_table("drako", hints=False)
    seat = made.seats["dragon"]
    seat.draw()  # type: ignore[attr-defined]
    assert_type(seat.hint(simulations=10).player, str)  # type: ignore[assert-type]
    legal: AnyLegal = seat.legal_actions()
    assert_type(legal.ply, int)
    step = seat.act(models.drako.Draw(type="draw", player="dragon"))
    assert_type(step.version, str)
    step.versoin  # type: ignore[union-attr]
    models.drako.Draw(type="draw", player="rapalline")  # type: ignore[arg-type]
    for news in seat.watch(on_connection=lambda it: assert_type(it, Connection)):
        if news.table is not None and news.table.now is not None:
            assert_type(news.table.now.ply, int)
    for line in umpire.validate_all([record]):
        if isinstance(line, models.Problem):
            assert_type(line.line, int | None)
        elif not isinstance(line, models.ValidationSummary):
            assert_type(line.verdict.plies, int)
    assert_type(umpire.store(record).id, str)


async def not_sync(umpire: AsyncUmpire, record: models.drako.GameRecord) -> None:
    assert_type(umpire.validate_all([record]).__aiter__, None)  # type: ignore[assert-type]
    async for receipt in umpire.store_all([record]):
        receipt.summery  # type: ignore[union-attr]
    report = await umpire.replay(record)
    assert_type(report.fingerprint, str | None)
