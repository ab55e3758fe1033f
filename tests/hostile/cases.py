"""Faults that were seen in other servers, each by its id, and the tests that show that it is not here.

Where several are named, all of them belong to it. `abuse.TABLE` sends each of its frames to a running game.
"""

from typing import Final

GATEWAY: Final = "tests/gateway/test_abuse.py::"
TABLE: Final = f"{GATEWAY}test_the_sender_is_told_or_closed_and_the_others_go_on"
PLAY: Final = "tests/hostile/test_wire_play.py::"
SOCKETS: Final = "tests/hostile/test_wire_sockets.py::"
BESIDE: Final = "tests/hostile/test_beside_trouble.py::test_beside_floods_and_loafers_games_go_on"
MARCHES: Final = f"{PLAY}test_marches_that_cannot_be"

CASES: Final[dict[str, tuple[str, ...]]] = {
    "M13": ("units are spent once", MARCHES, "tests/game/test_refusals.py::test_impossible_marches"),
    "M20": ("two groups for one destination", MARCHES, "tests/game/test_refusals.py::test_impossible_marches"),
    "M21": ("an empty group, the origin, foreign units", TABLE, MARCHES),
    "H13": (
        "house cards are shown together",
        f"{PLAY}test_H13_house_cards_are_shown_together",
        "tests/game/test_secrecy.py::test_a_sealed_answer_shows_nobody_else_anything",
    ),
    "K01": ("a map that is cut short", TABLE),
    "K02": ("headers that promise too much", TABLE),
    "K03": ("a small message that is a huge tree", TABLE, BESIDE),
    "K04": ("deep nesting", TABLE),
    "K06": ("bytes after the message", TABLE),
    "K07": ("keys that are no strings", TABLE),
    "K10": ("absurd counts", TABLE),
    "K11": ("extension types", TABLE),
    "K12": ("strings that are not UTF-8", TABLE),
    "K13": (
        "a codec after an error",
        f"{GATEWAY}test_K13_one_good_message_after_each_bad_one",
        "tests/gateway/test_session.py::test_K13_nothing_of_a_malformed_frame_stays",
    ),
    "K14": ("no map at all", TABLE),
    "W01": ("the wrong kind of frame", TABLE, f"{GATEWAY}test_W01_text_that_is_not_UTF8_closes_with_1007"),
    "W02": (
        "a frame that is too large",
        TABLE,
        f"{GATEWAY}test_W02_the_largest_frame_is_taken",
        f"{GATEWAY}test_W02_a_seat_that_sent_too_much_may_come_back",
    ),
    "W04": (
        "one bad client does not end the room",
        f"{GATEWAY}test_W04_random_bytes_end_one_connection_and_no_room",
        f"{GATEWAY}test_W04_who_cuts_the_line_in_the_middle_of_a_frame",
        f"{SOCKETS}test_W04_one_dies_in_the_middle_of_a_frame_while_the_others_play",
        BESIDE,
    ),
    "W05": (
        "who never reads",
        "tests/gateway/test_sockets.py::test_S90_W05_who_never_reads_is_given_up_and_holds_up_nobody",
        BESIDE,
    ),
    "W08": (
        "a message in the moment of a timeout",
        f"{SOCKETS}test_W08_a_message_in_the_moment_of_a_timeout_is_taken_or_the_connection_closed",
        f"{SOCKETS}test_W08_an_answer_while_the_hello_timer_fires",
    ),
    "W09": ("long thinking", f"{SOCKETS}test_W09_a_bot_that_thinks_for_long_keeps_its_connection"),
    "W10": ("a silent death", f"{SOCKETS}test_W10_a_client_that_dies_without_a_word_is_missed"),
    "W11": (
        "sockets that say nothing",
        f"{GATEWAY}test_S43_W11_silent_sockets_do_not_keep_players_out",
        "tests/gateway/test_limits.py::test_S43_W11_half_handshakes_end_and_are_bounded",
        BESIDE,
    ),
    "X01": ("something before hello", f"{GATEWAY}test_X01_nothing_but_hello_comes_first"),
    "X02": ("another's house", TABLE, f"{GATEWAY}test_X02_a_seat_answers_for_itself_only"),
    "X03": (
        "out of turn",
        f"{GATEWAY}test_X03_an_answer_that_nobody_asked_for",
        f"{PLAY}test_X03_a_march_while_another_house_is_asked",
    ),
    "X04": ("the same orders twice", f"{GATEWAY}test_X04_the_same_answer_twice_counts_once"),
    "X06": ("stale is answered", f"{PLAY}test_X06_X08_orders_of_a_finished_round_are_stale"),
    "X08": ("orders of a finished round", f"{PLAY}test_X06_X08_orders_of_a_finished_round_are_stale"),
    "X10": ("no orders are left over", f"{PLAY}test_X10_no_orders_of_the_last_round_are_left"),
    "X11": ("one reveal for all", f"{PLAY}test_X11_all_orders_are_shown_in_one_update"),
    "X12": (
        "orders lie face down",
        "tests/sockets/test_no_frame_leaks.py::test_two_runs_that_differ_only_in_the_orders_send_others_the_same_bytes",
        "tests/game/test_secrecy.py::test_a_sealed_answer_shows_nobody_else_anything",
    ),
    "X16": (
        "a spectator sees no more",
        "tests/rooms/test_room.py::test_S08_X16_a_spectator_sees_no_more_than_any_seat",
    ),
    "X17": (
        "a spectator does nothing",
        f"{GATEWAY}test_X16_X17_a_spectator_sees_and_does_no_more",
        f"{PLAY}test_X17_a_spectator_can_answer_nothing",
    ),
    "X19": ("another's view", TABLE, f"{GATEWAY}test_X19_the_view_is_that_of_the_token"),
    "X21": (
        "every change has its number",
        f"{PLAY}test_X21_X32_the_question_comes_with_its_facts_and_every_change_has_its_number",
        "tests/protocol/test_client.py::test_a_gap_is_asked_for",
    ),
    "X23": ("a storm of resyncs", f"{PLAY}test_X23_a_storm_of_resyncs_is_slowed", BESIDE),
    "X24": ("the old socket closes late", f"{PLAY}test_X24_the_old_socket_closes_late"),
    "X25": (
        "two tabs",
        f"{PLAY}test_X25_two_tabs_and_one_closes",
        "tests/gateway/test_sockets.py::test_S35_S36_two_connections_on_one_seat",
    ),
    "X27": (
        "back in the secret phase",
        "tests/sockets/test_no_frame_leaks.py::test_two_runs_that_differ_only_in_the_orders_send_others_the_same_bytes",
        "tests/rooms/test_resume.py::test_a_private_change_is_made_good_on_return",
    ),
    "X32": (
        "facts before the question",
        f"{PLAY}test_X21_X32_the_question_comes_with_its_facts_and_every_change_has_its_number",
    ),
    "X35": ("after the end", "tests/rooms/test_room.py::test_X35_after_the_end_there_is_only_to_look"),
    "X36": ("odd names", TABLE, MARCHES, f"{GATEWAY}test_X36_odd_names_are_just_unknown"),
    "X37": ("unknown types and fields", TABLE),
    "X38": (
        "bots get the view and nothing more",
        "tests/sockets/test_whole_game.py::test_every_replica_is_the_server_view_at_every_seq",
    ),
    "X40": (
        "same seed, same game",
        "tests/sockets/test_loops.py::test_asyncio_and_uvloop_play_the_same_game",
        "tests/game/test_determinism.py::test_hash_seed_changes_nothing",
    ),
    "X41": ("gone in one's own decision", f"{PLAY}test_X41_a_question_outlives_the_connection"),
    "X43": ("the log", "tests/gateway/test_sockets.py::test_S24_the_log_of_a_whole_game_holds_no_secret"),
    "X44": (
        "steps that ask nobody",
        "tests/sockets/test_whole_game.py::test_every_replica_is_the_server_view_at_every_seq",
    ),
}
"""By id: what it is about, then its tests."""
