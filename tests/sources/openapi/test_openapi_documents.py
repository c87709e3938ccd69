"""What tools a document makes."""

import json
from pathlib import Path

import jsonschema
import pytest

from ptc_studio.core.errors import UnfitValues
from tests.sources.openapi.conftest import Connect, document, operation

PETSTORE = Path(__file__).with_name("petstore.yaml").read_text()


@pytest.fixture
def petstore(connect: Connect, tmp_path: Path):
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    return connect("petstore.yaml")


def test_every_operation_is_a_tool(petstore) -> None:
    assert petstore.errors == []
    assert list(petstore.tools) == ["api.listPets", "api.pets.create_one", "api.get_pets_petId", "api.pets.delete"]
    spec = petstore.tools["api.pets.create_one"].spec
    assert (spec.also, spec.source, spec.origin) == (("api.pets/create-one",), "api", "POST /pets of petstore.yaml")
    listing = petstore.tools["api.listPets"].spec
    assert listing.description == "Lists the pets."
    assert "Returns a list: an object with id, name, nickname" in listing.doc
    assert [one.name for one in listing.signature] == ["limit", "tags", "status", "X_Trace_Id"]


def test_the_schema_of_3_0_becomes_that_of_today(petstore) -> None:
    parameters = petstore.tools["api.listPets"].spec.parameters
    assert parameters["properties"]["limit"] == {"type": "integer", "exclusiveMinimum": 0, "default": 20}
    assert parameters["properties"]["status"]["items"]["enum"] == ["yes", "no", "on"], "these are texts in YAML 1.2"
    made = petstore.tools["api.pets.create_one"].spec.parameters
    assert made["required"] == ["name"], "what is read-only is not sent"
    assert list(made["properties"]) == [
        "X_Trace_Id",
        "name",
        "nickname",
        "kind",
        "parents",
        "mother",
        "more",
        "password",
    ]
    assert made["properties"]["nickname"] == {"type": ["string", "null"]}
    assert made["properties"]["kind"] == {"type": ["string", "null"], "enum": ["cat", "dog", None]}
    assert made["properties"]["mother"] == {"anyOf": [{"allOf": [{"$ref": "#/$defs/Pet"}]}, {"type": "null"}]}
    assert made["properties"]["more"]["properties"]["since"]["examples"] == ["2024-01-01"]
    jsonschema.Draft202012Validator.check_schema(made)


def test_a_recursive_schema_is_finite_and_checked_to_its_depth(petstore) -> None:
    tool = petstore.tools["api.pets.create_one"]
    assert set(tool.spec.parameters["$defs"]) == {"Pet"}
    tool.bind({"name": "a", "parents": [{"name": "b", "parents": [{"name": "c"}]}], "mother": None})
    with pytest.raises(UnfitValues, match=r"'parents\[0\].parents\[0\]': 'name' is a required property"):
        tool.bind({"name": "a", "parents": [{"name": "b", "parents": [{}]}]})


def test_the_answer_of_success_is_the_output_schema(petstore) -> None:
    output = petstore.tools["api.listPets"].spec.output
    assert output["items"] == {"$ref": "#/$defs/Pet"}
    pet = output["$defs"]["Pet"]
    assert "id" in pet["properties"]
    assert "password" not in pet["properties"], "what is write-only is not answered"
    assert petstore.tools["api.pets.delete"].spec.output is None


def test_nothing_is_read_again_until_the_file_changes(petstore, tmp_path: Path) -> None:
    before = petstore.source.refresh()
    assert petstore.source.refresh() is before
    (tmp_path / "petstore.yaml").write_text(PETSTORE.replace("Lists the pets.", "Shows the pets."))
    after = petstore.source.refresh()
    assert after is not before
    same = [new.spec.name for new, old in zip(after.tools, before.tools, strict=True) if new is old]
    assert same == ["api.pets.create_one", "api.get_pets_petId", "api.pets.delete"]


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        (["listPets"], [], ["api.listPets"]),
        (["tag:pets"], ["pets/*"], ["api.listPets"]),
        (["GET *"], [], ["api.listPets", "api.get_pets_petId"]),
        ([], ["tag:pets", "DELETE *"], ["api.get_pets_petId"]),
    ],
)
def test_operations_are_chosen_by_id_path_or_tag(connect: Connect, tmp_path: Path, include, exclude, names) -> None:
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    assert list(connect("petstore.yaml", include=include, exclude=exclude).tools) == names


def test_a_choice_that_leaves_nothing_is_told(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "petstore.yaml").write_text(PETSTORE)
    api = connect("petstore.yaml", include=["nothing"])
    assert api.errors == [
        "The document 'petstore.yaml' has no operation that `include` and `exclude` leave over: check them."
    ]


def test_names_are_identifiers_of_every_language(connect: Connect) -> None:
    ids = ["a-b c", "x.y.z", "repos/import", "9lives", "größe", "users", "users/list", "Class"]
    paths = {f"/{number}": {"get": operation(operationId=name)} for number, name in enumerate(ids)}
    paths["/a/{b-c}/"] = {"post": operation()}
    api = connect(document(paths))
    assert [name.removeprefix("api.") for name in api.tools] == [
        *("a_b_c", "x.y.z", "repos.import_", "_9lives", "gr_e", "users", "users_list", "Class", "post_a_b_c"),
    ]


def test_names_of_parameters_are_identifiers_and_the_documents_own_work_too(connect: Connect) -> None:
    names = ["per-page", "filter[name]", "from", "X-Y"]
    api = connect(
        document(
            {
                "/": {
                    "get": operation(
                        operationId="x",
                        parameters=[{"name": name, "in": "query", "schema": {"type": "string"}} for name in names],
                    )
                }
            }
        )
    )
    tool = api.tools["api.x"]
    assert list(tool.spec.parameters["properties"]) == ["per_page", "filter_name", "from_", "X_Y"]
    assert tool.spec.parameters["properties"]["per_page"]["description"] == "Sent as `per-page`."
    assert tool.bind({"per-page": "1", "from_": "2"}) == {"per_page": "1", "from_": "2"}


def test_3_1_is_read_as_json_schema(connect: Connect) -> None:
    schema = {
        "type": ["object", "null"],
        "properties": {
            "a": {"$ref": "#/components/schemas/A", "description": "Mine."},
            "t": {"type": "array", "prefixItems": [{"type": "integer"}, {"const": "x"}], "items": False},
        },
        "if": {"required": ["a"]},
        "then": {"required": ["t"]},
    }
    parts = {"schemas": {"A": {"exclusiveMinimum": 3, "type": "number", "examples": [4]}}}
    body = {"content": {"application/json": {"schema": schema}}, "required": True}
    api = connect(document({"/": {"post": operation(operationId="x", requestBody=body)}}, components=parts))
    found = api.tools["api.x"].spec.parameters
    assert found["properties"]["body"]["properties"]["a"] == {"$ref": "#/$defs/A", "description": "Mine."}
    assert found["properties"]["body"]["type"] == ["object", "null"]
    assert found["$defs"]["A"] == {"exclusiveMinimum": 3, "type": "number", "examples": [4]}
    with pytest.raises(UnfitValues, match="'t' is a required property"):
        api.tools["api.x"].bind({"body": {"a": 4}})


def test_the_body_is_one_argument_where_its_properties_cannot_stand_alone(connect: Connect) -> None:
    plain = {"type": "object", "properties": {"id": {"type": "string"}, "b": {}}}
    bodies = {
        "merged": {**plain, "properties": {"a": {}, "b": {}}},
        "joined": {
            "allOf": [{"type": "object", "properties": {"a": {}}}, {"properties": {"b": {}}, "required": ["b"]}]
        },
        "collision": plain,
        "open": {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
        "choice": {"oneOf": [plain, {"type": "string"}]},
        "list": {"type": "array", "items": plain},
        "empty": {"type": "object"},
    }
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    api = connect(
        document(
            {
                f"/{name}/{{id}}": {
                    "post": operation(
                        operationId=name,
                        parameters=parameters,
                        requestBody={
                            "required": True,
                            "content": {"application/json": {"schema": schema}},
                        },
                    )
                }
                for name, schema in bodies.items()
            }
        )
    )
    found = {name: list(api.tools[f"api.{name}"].spec.parameters["properties"]) for name in bodies}
    whole = ["id", "body"]
    assert found == {
        "merged": ["id", "a", "b"],
        "joined": ["id", "a", "b"],
        "collision": whole,
        "open": whole,
        "choice": whole,
        "list": whole,
        "empty": whole,
    }
    assert api.tools["api.joined"].spec.parameters["required"] == ["id", "b"]


def test_a_body_that_may_be_left_out_must_be_whole_if_it_is_there(connect: Connect) -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "required": ["a", "b"]}
    body = {"content": {"application/json": {"schema": schema}}}
    tool = connect(document({"/": {"post": operation(operationId="x", requestBody=body)}})).tools["api.x"]
    tool.bind({})
    tool.bind({"a": 1, "b": 2})
    with pytest.raises(UnfitValues, match="'a' is a dependency of 'c'"):
        tool.bind({"c": 1, "b": 1})


def test_choices_of_required_properties_hold(connect: Connect) -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    body = {"content": {"application/json": {"schema": schema}}, "required": True}
    tool = connect(document({"/": {"post": operation(operationId="x", requestBody=body)}})).tools["api.x"]
    tool.bind({"b": 1})
    with pytest.raises(UnfitValues, match="missing 'a' or missing 'b'"):
        tool.bind({})


def test_references_lead_into_files_beside_the_document(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "paths.yaml").write_text(
        "users:\n  get:\n    operationId: users\n    parameters: [{$ref: '../shared.json#/params/P'}]\n"
        "    responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/U'}}}}}\n"
        "U: {type: object, properties: {next: {$ref: '#/U'}, s: {$ref: '../shared.json#/schemas/a~1b%20c'}}}\n"
    )
    shared = {
        "params": {"P": {"name": "q", "in": "query", "schema": {"$ref": "#/schemas/a~1b c"}}},
        "schemas": {"a/b c": {"type": "string"}},
    }
    (tmp_path / "shared.json").write_text(json.dumps(shared))
    api = connect(document({"/u": {"$ref": "parts/paths.yaml#/users"}}))
    assert api.errors == [] or "does not say where the service is" in api.errors[0]
    spec = api.tools["api.users"].spec
    assert spec.parameters["properties"] == {"q": {"type": "string"}}
    assert spec.output["properties"]["next"] == {"$ref": "#/$defs/U"}
    jsonschema.Draft202012Validator(spec.output).validate({"next": {"next": {"s": "x"}}})


def test_slips_of_the_author_do_not_stop_the_rest(connect: Connect) -> None:
    slips = {
        "type": "object",
        "properties": {
            "a": {"type": "date", "required": True, "minLength": "5"},
            "b": {"type": "string", "pattern": "(?<name>x", "enum": []},
            "c": {"type": "array"},
            "d": None,
            "e": {"type": "integer", "multipleOf": 0, "maximum": "9"},
        },
        "required": "a",
    }
    body = {"content": {"application/json": {"schema": slips}}, "required": True}
    api = connect(document({"/": {"post": operation(operationId="x", requestBody=body)}}))
    schema = api.tools["api.x"].spec.parameters
    jsonschema.Draft202012Validator.check_schema(schema)
    assert api.tools["api.x"].bind({"a": 1, "b": "x", "c": [], "d": 0, "e": 10})


def test_an_operation_without_responses_is_a_tool(connect: Connect) -> None:
    assert list(connect(document({"/": {"get": {"operationId": "x"}}})).tools) == ["api.x"]
