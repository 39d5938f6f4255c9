#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the headers, entry functions and the page of two-phase operators from src/ops/aclnn.tab.

    scripts/aclnn.py [--check] [--output FOLDER]

Writes include/aclnnop/, src/aclnn/entries/ and docs/operators.md below FOLDER (default: the source tree), and removes
generated files whose lines are gone. --check writes nothing and fails when a file differs. The language of the table is
told in docs/adding-an-aclnn-operator.md. Needs only the standard library.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Notation of the table: type of C (as an input, as an output) and the kind of an argument.
TYPES = {
    "T": ("const aclTensor *", "aclTensor *", "TENSOR"),
    "TL": ("const aclTensorList *", "const aclTensorList *", "TENSORS"),
    "S": ("const aclScalar *", None, "SCALAR"),
    "SL": ("const aclScalarList *", None, "SCALARS"),
    "I[]": ("const aclIntArray *", None, "INTS"),
    "F[]": ("const aclFloatArray *", None, "FLOATS"),
    "B[]": ("const aclBoolArray *", None, "BOOLS"),
    "str": ("const char *", None, "STRING"),
    "i8": ("int8_t ", None, "INT"),
    "i32": ("int32_t ", None, "INT"),
    "i64": ("int64_t ", None, "INT"),
    "u64": ("uint64_t ", None, "INT"),
    "bool": ("bool ", None, "BOOL"),
    "f32": ("float ", None, "FLOAT"),
    "f64": ("double ", None, "FLOAT"),
    "dtype": ("aclDataType ", None, "DTYPE"),
}
MEMBERS = {"TENSOR": "tensor", "TENSORS": "tensors", "SCALAR": "scalar", "SCALARS": "scalars", "INTS": "ints",
           "FLOATS": "floats", "BOOLS": "bools", "STRING": "string", "INT": "i", "BOOL": "i", "DTYPE": "i", "FLOAT": "f"}
WORDS = {"T": "tensor", "TL": "list of tensors", "S": "number", "SL": "list of numbers", "I[]": "integers",
         "F[]": "floats", "B[]": "bools", "str": "text", "dtype": "aclDataType"}
RULES = {
    "keep": "types as the operator takes them",
    "exact": "types as the operator takes and gives them",
    "promote": "inputs of any mix of types are computed in their common type",
    "float": "inputs of any mix of types are computed in their common floating-point type, float32 for integers",
    "output": "inputs are computed in the type of the output",
    "convert": "the result is converted to the type of the output",
}
FUNCTIONS = {"scale": ("SCALE", 2), "share": ("SHARE", 2), "shape": ("SHAPE", 1), "size": ("SIZE", 2), "ints": ("INTS", 1),
             "broadcast": ("BROADCAST", 2), "all": ("ALL", 1), "negate": ("NOT", 1), "choice": ("CHOICE", None),
             "unsqueeze": ("UNSQUEEZE", 2), "leading": ("LEADING", 2), "given": ("GIVEN", 3),
             "along": ("ALONG", 3), "crop": ("CROP", 2), "except": ("EXCEPT", 2), "item": ("ITEM", 1)}
DTYPES = {"f32": "JM_F32", "f16": "JM_F16", "f64": "JM_F64", "bool": "JM_BOOL", "u8": "JM_U8", "i32": "JM_I32",
          "i64": "JM_I64", "keep": "JM_CONVERT_KEEP"}
WIDTH = 118


class TableError(Exception):
    pass


class Param:
    def __init__(self, text):
        match = re.fullmatch(r"(T|TL|S|SL|I\[\]|F\[\]|B\[\]|str|i8|i32|i64|u64|bool|f32|f64|dtype) (\w+)(\??)", text)
        if not match:
            raise TableError(f"'{text}' is no parameter: type, name, and ? when it may be NULL")
        self.type, self.name, optional = match.groups()
        self.optional = bool(optional)
        self.input = self.output = False
        self.counted = False  # an output whose shape depends on data
        self.kind = TYPES[self.type][2]


class Term:
    """One term of an expression: kind is node, param, number, text, absent or the name of a function."""

    def __init__(self, kind, name=None, operands=(), attrs=(), convert=None):
        self.kind, self.name, self.operands, self.attrs, self.convert = kind, name, list(operands), list(attrs), convert


class Statement:
    def __init__(self, rule, term, outputs):
        self.rule, self.term, self.outputs = rule, term, outputs


class Row:
    """A line: name, params, statements, ignored parameters, the formula and hints for tests."""


class Parser:
    """expression = Operator(operand, ..., attribute=value)[:type] | function(...) | parameter[:type] | number | "text" | -"""

    def __init__(self, text, params):
        self.tokens = re.findall(r'"[^"]*"|-?\d+(?:\.\d+)?(?:e-?\d+)?|\w+|[(),=:;|]|->|-|\S', text)
        self.at, self.params = 0, {p.name: i for i, p in enumerate(params)}

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, want=None):
        token = self.peek()
        if not token or (want and token != want):
            raise TableError(f"'{token or 'the end'}' where {want or 'more'} is expected")
        self.at += 1
        return token

    def arguments(self, attrs):
        operands, named = [], []
        self.take("(")
        while self.peek() != ")":
            if self.peek(1) == "=":
                if not attrs:
                    raise TableError(f"{self.peek()}= belongs to an operator")
                name = self.take()
                self.take("=")
                named.append((name, self.expression()))
            else:
                operands.append(self.expression())
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        return operands, named

    def expression(self):
        token = self.take()
        if token == "-":
            return Term("absent")
        if token.startswith('"'):
            return Term("text", token[1:-1])
        if re.match(r"-?\d", token):
            return Term("number", token)
        if self.peek() == "(":
            if token in FUNCTIONS:
                operands, _ = self.arguments(False)
                if FUNCTIONS[token][1] not in (None, len(operands)):
                    raise TableError(f"{token} takes {FUNCTIONS[token][1]} arguments")
                return Term(token, token, operands)
            if not token[0].isupper():
                raise TableError(f"there is no function {token}; operators begin with a capital letter")
            operands, named = self.arguments(True)
            term, convert = Term("node", token, operands, named), self.conversion()
            return Term("cast", None, [term], convert=convert) if convert else term
        if token not in self.params:
            raise TableError(f"'{token}' is no parameter")
        return Term("param", token, convert=self.conversion())

    def output(self):
        """A parameter, '-', or shape(parameter)."""
        token = self.take()
        if token != "shape" or self.peek() != "(":
            return token
        self.take("(")
        name = self.take()
        self.take(")")
        return f"shape({name})"

    def conversion(self):
        if self.peek() != ":":
            return None
        self.take(":")
        convert = self.take()
        if convert not in DTYPES:
            raise TableError(f"'{convert}' is no type: " + ", ".join(DTYPES))
        return convert


def parse_row(text):
    match = re.fullmatch(r"(aclnn\w+)\(([^)]*)\) = (.*)", text)
    if not match:
        raise TableError("a line is name(parameters) = rule: expression -> outputs")
    row = Row()
    row.name = match[1]
    row.params = [Param(p.strip()) for p in re.split(r",\s*", match[2]) if p.strip()]
    parts = [p.strip() for p in match[3].split(" | ")]
    body, row.formula, row.hints = parts[0], parts[1] if len(parts) > 1 else "", parts[2] if len(parts) > 2 else ""
    row.ignored = []
    if " ignores " in body:
        body, names = body.split(" ignores ")
        row.ignored = names.split()
    row.each = body.startswith("each ")
    body = body.removeprefix("each ")
    row.statements, rule = [], None
    for piece in body.split(";"):
        piece = piece.strip()
        found = re.match(r"(\w+): ", piece)
        if found:
            rule, piece = found[1], piece[found.end():]
        if rule not in RULES:
            raise TableError(f"'{rule}' is no rule: " + ", ".join(RULES))
        parser = Parser(piece, row.params)
        term = parser.expression()
        parser.take("->")
        outputs = [parser.output()]
        while parser.peek() == ",":
            parser.take(",")
            outputs.append(parser.output())
        if parser.peek():
            raise TableError(f"'{parser.peek()}' after the outputs")
        row.statements.append(Statement(rule, term, outputs))
    mark_roles(row)
    return row


def mark_roles(row):
    by_name = {p.name: p for p in row.params}
    unused = set(by_name)
    outputs = {name for statement in row.statements for name in statement.outputs}

    def visit(term):
        if term.kind == "param":
            by_name[term.name].input = True
            unused.discard(term.name)
        # Only the shape of the second operand of broadcast, and of an output, is read.
        for operand in term.operands[:1] if term.kind == "broadcast" else term.operands:
            if term.kind != "shape" or operand.name not in outputs:
                visit(operand)
        for _, value in term.attrs:
            visit(value)

    for statement in row.statements:
        visit(statement.term)
        for name in statement.outputs:
            if name == "-":
                continue
            if name.startswith("shape("):
                if name[6:-1] not in statement.outputs:
                    raise TableError(f"{name} belongs to an output of the same statement")
                by_name[name[6:-1]].counted = True
                continue
            if name not in by_name or by_name[name].type not in ("T", "TL"):
                raise TableError(f"the output '{name}' is no tensor among the parameters")
            by_name[name].output = True
            by_name[name].input |= name.endswith("Ref") or row.name.endswith("Inplace")
            unused.discard(name)
    unused -= set(row.ignored)
    if unused:
        raise TableError("not used: " + ", ".join(sorted(unused)) + "; say so with 'ignores'")


def parse_table(path):
    """Sections in order: (header, text, rows)."""
    sections, pending, line_of = [], "", 0

    def finish():
        if not pending:
            return
        if not sections:
            raise TableError(f"{path}:{line_of}: a line before the first [header]")
        try:
            sections[-1][2].append(parse_row(pending))
        except TableError as error:
            raise TableError(f"{path}:{line_of}: {error}") from None

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if line[0].isspace() and pending:
            pending += " " + line.strip()
            continue
        if line[0].isspace() and sections and not sections[-1][2]:
            sections[-1] = (sections[-1][0], sections[-1][1] + ("\n" if line.strip().startswith("- ") else " ") + line.strip(), [])
            continue
        finish()
        pending, line_of = "", number
        section = re.fullmatch(r"\[(\w+)\] (.*)", line)
        if section:
            sections.append((section[1], section[2], []))
        else:
            pending = line.strip()
    finish()
    names = [row.name for _, _, rows in sections for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise TableError(f"{path}: {name} has two lines")
    headers = [header for header, _, _ in sections]
    for header in headers:
        if headers.count(header) > 1:
            raise TableError(f"{path}: [{header}] is there twice")
    return sections


# ---- C ----

def wrap(words, first, rest):
    """Lines of at most WIDTH from words that stay whole."""
    lines, line = [], first
    for i, word in enumerate(words):
        if len(line) + len(word) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = rest
        line += word + (" " if i + 1 < len(words) else "")
    return lines + [line.rstrip()]


def comment(text):
    return "\n".join(wrap(text.split(), "/* ", " * ")) + " */"


def declaration(row, param):
    types = TYPES[param.type]
    return (types[1] if param.output and types[1] else types[0]) + param.name


def phase_one(row, ending):
    arguments = [declaration(row, p) for p in row.params] + ["uint64_t *workspaceSize", "aclOpExecutor **executor"]
    first = f"aclnnStatus {row.name}GetWorkspaceSize("
    words = [a + "," for a in arguments[:-1]] + [arguments[-1] + ")" + ending]
    return "\n".join(wrap(words, first, " " * 4))


def phase_two(row, ending):
    arguments = ["void *workspace,", "uint64_t workspaceSize,", "aclOpExecutor *executor,", "aclrtStream stream)" + ending]
    return "\n".join(wrap(arguments, f"aclnnStatus {row.name}(", " " * 4))


def rule_words(row):
    rules = []
    for statement in row.statements:
        if RULES[statement.rule] not in rules:
            rules.append(RULES[statement.rule])
    return "; ".join(rules)


def describe(row):
    text = (row.formula or " ; ".join(f"{', '.join(s.outputs)} = {show(s.term)}" for s in row.statements)) + "."
    if row.each:
        text = "For each item of the lists: " + text
    text += " " + rule_words(row).capitalize() + "."
    optional = [p.name for p in row.params if p.optional]
    if optional:
        text += " May be NULL: " + ", ".join(optional) + "."
    changed = [p.name for p in row.params if p.input and p.output]
    if changed:
        text += " Changed in place: " + ", ".join(changed) + "."
    counted = [p.name for p in row.params if p.counted]
    if counted:
        text += (" The shape depends on data: " + ", ".join(counted) + ". The first phase takes the largest shape; when the stream "
                 "is synchronised, aclGetViewShape tells the real one, in which the elements lie without gaps (a tensor with "
                 "gaps keeps its strides). Such a tensor has the type of the result, and shares no memory with an input.")
    if row.ignored:
        text += " Without effect: " + ", ".join(row.ignored) + "."
    return text


def show(term):
    if term.kind == "absent":
        return "-"
    if term.kind == "text":
        return f'"{term.name}"'
    if term.kind in ("param", "number"):
        return term.name + (f":{term.convert}" if term.convert else "")
    if term.kind == "cast":
        return f"{show(term.operands[0])}:{term.convert}"
    inner = [show(t) for t in term.operands] + [f"{name}={show(value)}" for name, value in term.attrs]
    return f"{term.name}({', '.join(inner)})"


GENERATED = "Written by scripts/aclnn.py from src/ops/aclnn.tab: change that and run the script."


def header_text(name, text, rows):
    guard = f"ACLNNOP_ACLNN_{name.upper()}_H"
    lines = ["/* SPDX-License-Identifier: Apache-2.0", " *"]
    for paragraph in text.split("\n"):
        lines += wrap(paragraph.split(), " * ", " *   " if paragraph.startswith("- ") else " * ")
    lines += [" *"] + wrap(("Tensors may have any strides and up to 8 dimensions, none of which must be positive; outputs "
                            "need the exact shape of the result. Codes and the two phases: aclnn/aclnn_base.h.").split(),
                           " * ", " * ")
    lines += [" *"] + wrap(GENERATED.split(), " * ", " * ") + [" */"]
    lines += [f"#ifndef {guard}", f"#define {guard}", "", '#include "aclnn/aclnn_base.h"', "", "#ifdef __cplusplus",
              'extern "C" {', "#endif"]
    for row in rows:
        lines += ["", comment(describe(row)), "ACL_FUNC_VISIBILITY " + phase_one(row, ";"),
                  "ACL_FUNC_VISIBILITY " + phase_two(row, ";")]
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(lines)


def emit_terms(row, statement, terms):
    index = {p.name: i for i, p in enumerate(row.params)}

    def emit(term):
        if term.kind == "node":
            terms.append(f'{{JM_TERM_NODE, {len(term.operands)}, {len(term.attrs)}, 0, 0, "{term.name}", 0}}')
        elif term.kind == "param":
            convert = DTYPES[term.convert] if term.convert else "JM_CONVERT_RULE"
            terms.append(f"{{JM_TERM_PARAM, 0, 0, {index[term.name]}, {convert}, NULL, 0}}")
        elif term.kind == "cast":
            terms.append(f"{{JM_TERM_CAST, 1, 0, 0, {DTYPES[term.convert]}, NULL, 0}}")
        elif term.kind == "number":
            terms.append(f"{{JM_TERM_NUMBER, 0, 0, 0, 0, NULL, {term.name}}}")
        elif term.kind == "text":
            terms.append(f'{{JM_TERM_TEXT, 0, 0, 0, 0, "{term.name}", 0}}')
        elif term.kind == "absent":
            terms.append("{JM_TERM_ABSENT, 0, 0, 0, 0, NULL, 0}")
        else:
            terms.append(f"{{JM_TERM_{FUNCTIONS[term.kind][0]}, {len(term.operands)}, 0, 0, 0, NULL, 0}}")
        for operand in term.operands:
            emit(operand)
        for name, value in term.attrs:
            terms.append(f'{{JM_TERM_ATTR, 1, 0, 0, 0, "{name}", 0}}')
            emit(value)

    emit(statement.term)


def bool_text(value):
    return "true" if value else "false"


def entry_text(name, rows):
    lines = ["/* SPDX-License-Identifier: Apache-2.0", " *"] + wrap(GENERATED.split(), " * ", " * ") + [" */"]
    lines += [f'#include "aclnnop/aclnn_{name}.h"', "", '#include "aclnn/row.h"']
    for row in rows:
        short = row.name.removeprefix("aclnn")
        index = {p.name: i for i, p in enumerate(row.params)}
        lines += ["", f"static const jm_aclnn_param param_{short}[] = {{"]
        lines += [f'    {{"{p.name}", JM_ACLNN_{p.kind}, {bool_text(p.optional)}, {bool_text(p.input)}, '
                  f"{bool_text(p.output)}}}," for p in row.params]
        terms, statements = [], []
        for statement in row.statements:
            outputs = ", ".join("JM_ACLNN_NO_OUTPUT" if o == "-" else f"JM_ACLNN_SHAPE_OF({index[o[6:-1]]})"
                                if o.startswith("shape(") else str(index[o]) for o in statement.outputs)
            statements.append(f"{{JM_RULE_{statement.rule.upper()}, {len(terms)}, {len(statement.outputs)}, {{{outputs}}}}}")
            emit_terms(row, statement, terms)
        lines += ["};", f"static const jm_aclnn_term term_{short}[] = {{"] + [f"    {t}," for t in terms]
        lines += ["};", f"static const jm_aclnn_statement statement_{short}[] = {{"] + [f"    {s}," for s in statements]
        lines += ["};", f"extern const jm_aclnn_row jm_aclnn_row_{short};", f"const jm_aclnn_row jm_aclnn_row_{short} = {{",
                  f'    "{row.name}", param_{short}, term_{short}, statement_{short}, {len(row.params)}, '
                  f"{len(row.statements)}, {bool_text(row.each)}}};", "", phase_one(row, ""), "{",
                  "    const jm_aclnn_value jm_value[] = {"]
        for p in row.params:
            member = MEMBERS[p.kind]
            cast = "(int64_t)" if TYPES[p.type][0] in ("uint64_t ", "aclDataType ") else ""
            cast = "(double)" if p.type == "f32" else cast
            lines.append(f"        {{.{member} = {cast}{p.name}}},")
        lines += ["    };", f"    return jm_aclnn_prepare(&jm_aclnn_row_{short}, jm_value, workspaceSize, executor);", "}", "",
                  phase_two(row, ""), "{",
                  f"    return jm_aclnn_launch(&jm_aclnn_row_{short}, workspace, workspaceSize, executor, stream);", "}"]
    return "\n".join(lines) + "\n"


def rows_text(sections):
    names = sorted(row.name.removeprefix("aclnn") for _, _, rows in sections for row in rows)
    lines = ["/* SPDX-License-Identifier: Apache-2.0", " *", " * Every row, for tests. " + GENERATED, " */"]
    return "\n".join(lines + [f"JM_ACLNN_ROW({name})" for name in names]) + "\n"


def page_text(sections):
    count = sum(len(rows) for _, _, rows in sections)
    lines = ["# Two-phase operators", "", f"<!-- {GENERATED} -->", "",
             f"{count} names. Declarations with every argument are in `include/aclnnop/aclnn_<header>.h`. What both phases,",
             "errors and views have in common is told in `include/aclnn/aclnn_base.h`.", "",
             "Types: " + "; ".join(f"*{rule}*: {words}" for rule, words in RULES.items()) + ".", "",
             "| header | name | result | types |", "|---|---|---|---|"]
    for header, _, rows in sections:
        for row in rows:
            formula = row.formula or "; ".join(f"{', '.join(s.outputs)} = {show(s.term)}" for s in row.statements)
            rules = ", ".join(dict.fromkeys(s.rule for s in row.statements))
            each = "each item: " if row.each else ""
            arguments = ", ".join(p.name for p in row.params)
            lines.append(f"| {header} | `{row.name}({arguments})` | {each}`{formula.replace('|', chr(92) + '|')}` | {rules} |")
    return "\n".join(lines) + "\n"


def generate(table):
    """{path: text} of everything."""
    sections = parse_table(table)
    files = {"docs/operators.md": page_text(sections), "src/aclnn/entries/rows.def": rows_text(sections)}
    for name, text, rows in sections:
        files[f"include/aclnnop/aclnn_{name}.h"] = header_text(name, text, rows)
        files[f"src/aclnn/entries/{name}.c"] = entry_text(name, rows)
    return files


def stale(folder, files):
    found = list(folder.glob("include/aclnnop/aclnn_*.h")) + list(folder.glob("src/aclnn/entries/*.c"))
    return [path for path in found if str(path.relative_to(folder)) not in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file differs")
    parser.add_argument("--output", type=Path, default=ROOT, help="folder to write to")
    options = parser.parse_args()
    try:
        files = generate(ROOT / "src/ops/aclnn.tab")
    except TableError as error:
        sys.exit(str(error))
    different = [str(path.relative_to(options.output)) for path in stale(options.output, files)]
    for name, text in files.items():
        path = options.output / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        different.append(name)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if options.check:
        if different:
            sys.exit("differ from src/ops/aclnn.tab, run scripts/aclnn.py: " + ", ".join(sorted(different)))
        return
    for path in stale(options.output, files):
        path.unlink()


if __name__ == "__main__":
    main()
