"""What schemathesis asks of each answer, and values for scalars of the schema's own.

Its own check takes every refused input for a fault of the server. Here an answer is wrong where it says INTERNAL, where its
status is 5xx (but for 503, which says to try again), and where it is no GraphQL response at all.
"""
import datetime
import json

import graphql
import schemathesis
from hypothesis import strategies as st
from schemathesis.graphql import nodes

texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)
times = st.one_of(
    st.datetimes(timezones=st.just(datetime.timezone.utc)).map(lambda at: at.isoformat().replace("+00:00", "Z")),
    texts,
)


def an_object(members):
    return nodes.Object([graphql.ObjectFieldNode(name=graphql.NameNode(value=name), value=value) for name, value in members.items()])


values = st.recursive(
    st.one_of(texts.map(nodes.String), st.integers().map(nodes.Int), st.booleans().map(nodes.Boolean), st.just(nodes.Null)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(nodes.List),
        st.dictionaries(st.from_regex("[_A-Za-z][_0-9A-Za-z]{0,8}", fullmatch=True), inner, max_size=3).map(an_object),
    ),
    max_leaves=6,
)
schemathesis.graphql.scalar("DateTime", times.map(nodes.String))
schemathesis.graphql.scalar("JSON", values)


@schemathesis.check
def graphql_answer(ctx, response, case):
    assert response.status_code < 500 or response.status_code == 503, f"status {response.status_code}"
    try:
        answer = response.json()
    except json.JSONDecodeError as error:
        raise AssertionError("the answer is no JSON") from error
    assert isinstance(answer, dict) and ("data" in answer or answer.get("errors")), "the answer is no GraphQL response"
    for error in answer.get("errors", []):
        assert isinstance(error.get("message"), str), "an error says nothing"
        assert error.get("extensions", {}).get("code") not in (None, "INTERNAL"), f"{error}"
