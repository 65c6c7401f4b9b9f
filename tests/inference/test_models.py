"""What --model may say, and what the answer is where it says something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.inference.models import MODELS, parse_model
from fathom.records import InputError
from tests.inference.folders import make_dataset, plan


def test_a_name_a_target_and_options_are_told_apart() -> None:
    spec = parse_model("openai:org/model:free@http://localhost:8000/v1,temperature=0.5,max_tokens=9")
    assert spec.opener == MODELS["openai"]
    assert spec.target == "org/model:free@http://localhost:8000/v1"
    assert spec.options == {"temperature": "0.5", "max_tokens": "9"}
    assert parse_model("oracle:heading_sigma_deg=3").options == {"heading_sigma_deg": "3"}
    assert parse_model("prior:/data/a=b,seed=2").target == "/data/a=b"
    assert parse_model("my.package:thing,x=1").opener == "my.package:thing"


def test_options_can_be_given_apart() -> None:
    assert parse_model("openai:m,top_p=1", {"temperature": "1"}).options == {"top_p": "1", "temperature": "1"}


def broken_opener(target: str, options: object, context: object) -> None:
    """An opener with a mistake."""
    raise KeyError("nothing")


@pytest.mark.parametrize("text", ["gpt-4o", "", "Random", "opnai:gpt-4o"])
def test_an_unknown_model_gets_the_list_of_those_that_exist(text: str) -> None:
    with pytest.raises(InputError, match=r"there is no model .*random; prior:DATASET; oracle.*openai:MODEL"):
        parse_model(text)


@pytest.mark.parametrize("name", ["key", "api_key", "API_KEY", "token"])
def test_a_key_on_the_command_line_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(InputError, match="environment variable") as caught:
        parse_model(f"openai:m,{name}=sk-very-secret")
    assert "sk-very-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("openai:", "expected the model's name"),
        ("openai:m", "OPENAI_API_KEY is not set"),
        ("openai:m,key_env=MY_KEY", "MY_KEY is not set"),
        ("openai:m@http://localhost:1/v1,key_env=MY_KEY", "MY_KEY is not set"),
        ("openai:m,temprature=0", "no option 'temprature'; the options are: .*temperature"),
        ("openai:m,temperature=cold", "temperature expects a number, found 'cold'"),
        ("openai:m,temperature", "expected option=value after the comma, found 'temperature'"),
        ("openai:m@http://me:secret@host/v1", "carries a name or password"),
        ("openai:m,url=ftp://host", "expected an address such as https"),
        ("oracle:position_sigma_m=-1", "0 or more, found -1"),
        ("oracle:position_sigma_m=nan", "0 or more, found nan"),
        ("oracle:sigma=1", "no option 'sigma'"),
        ("scripted:clever", "expected one of perfect, always-a, random, mute, broken"),
        ("scripted:none.jsonl", "FILE.jsonl that exists"),
        ("prior:", "expected a dataset to learn from"),
        ("prior:nowhere", "expected a dataset folder"),
        ("no.such.package:thing", "cannot be imported"),
        ("nosuchmodule:thing", "there is no model 'nosuchmodule'"),
        ("randm", "there is no model 'randm'; did you mean random"),
        ("os.path:sep", "expected os.path:sep to be a function, found str"),
        ("tests.inference.test_models:broken_opener", "broken_opener raised KeyError: 'nothing'; fix it"),
        ("builtins:print", "expected builtins:print to be a function of a text .* found NoneType"),
    ],
)
def test_what_a_model_cannot_do_with_is_one_sentence(tmp_path: Path, model: str, message: str) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    with pytest.raises(InputError, match=message):
        plan(dataset, model, tmp_path / "r").open()


def test_an_unusable_key_is_refused_and_not_repeated(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    with pytest.raises(InputError, match="holds characters that no key has") as caught:
        plan(dataset, "openai:m", tmp_path / "r", environ={"OPENAI_API_KEY": "sk-a b"}).open()
    assert "sk-a b" not in str(caught.value)


def test_an_endpoint_of_ones_own_needs_no_key(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    backend = plan(dataset, "openai:m@http://localhost:1/v1", tmp_path / "r").open()
    assert (backend.name, backend.notes) == ("m", ("endpoint http://localhost:1/v1/chat/completions",))


def test_the_address_can_come_from_the_environment(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    environ = {"OPENAI_BASE_URL": "http://localhost:7/v1/"}
    backend = plan(dataset, "openai:m", tmp_path / "r", environ=environ).open()
    assert backend.notes == ("endpoint http://localhost:7/v1/chat/completions",)
