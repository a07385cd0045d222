//! A template's compiled form with three things added to its instructions: a count of everything
//! that takes time or room, a mark on everything it prints, and a check of every expression that leaves a
//! gap without a value or that a loop goes over. The machine that runs it is
//! minijinja's own; the language is not changed but for `autoescape on` and `autoescape off`.

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use minijinja::{
    Error, Value,
    machinery::{CodeGenerator, Instruction, Instructions, Span, ast::Stmt, parse},
    syntax::SyntaxConfig,
};

use super::const_fold_guard;
use super::filters::{
    CONCAT, CONTAIN, COUNT, GAP, KEEP, LOOP, MARK, ORDER, REPEAT, SETTABLE, SLICE,
};
use super::gaps::{ExpressionGap, Gaps, LoopedExpression};
use super::one_line::on_one_line;
use super::printed::{self, PrintedExpression};

/// Where a piece of the output came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Text of the template itself: this range of it, in bytes.
    Text(Range<usize>),
    /// An expression, at this range of the template.
    Expression(Range<usize>),
    /// What a stand-in stands for: its index among the values, and the stand-in's place.
    Value(usize, Range<usize>),
}

/// A template ready to run.
pub struct Program<'source> {
    /// The instructions of the template.
    pub main: Instructions<'source>,
    /// The instructions of its blocks.
    pub blocks: BTreeMap<&'source str, Instructions<'source>>,
    /// What each mark stands for.
    pub marks: Vec<Origin>,
    /// The expressions that leave a gap where they have no value.
    pub gaps: Vec<ExpressionGap>,
    /// What the printed expressions read.
    pub printed: Vec<PrintedExpression>,
    /// The expressions that loops go over.
    pub looped: Vec<LoopedExpression>,
}

/// What errors call the template.
const NAME: &str = "template";

/// Filters are looked up by name each time; the machine keeps a place for some of them only.
const NOT_CACHED: u8 = u8::MAX;

impl<'source> Program<'source> {
    /// Compiles a template and weaves counts and marks into it.
    pub fn compile(
        source: &'source str,
        values: &[(char, &str)],
    ) -> Result<Program<'source>, Error> {
        let tree = parsed(source)?;
        const_fold_guard::check(&tree)?;
        let (main, blocks) = generate(source, &tree);
        let joined = on_one_line(source)?;
        let located = match &joined {
            Cow::Borrowed(_) => None,
            Cow::Owned(joined) => Some(generate(joined, &parsed(joined)?)),
        };
        let mut weaver = Weaver::new(source, values, Gaps::of(&tree));
        let spans = |default| located.as_ref().map_or(default, |(main, _)| main);
        let block_spans = |name: &str, default| {
            let block = located.as_ref().and_then(|(_, blocks)| blocks.get(name));
            block.unwrap_or(default)
        };
        let main = weaver.weave(&main, spans(&main));
        let blocks = blocks
            .iter()
            .map(|(name, block)| (*name, weaver.weave(block, block_spans(name, block))))
            .collect();
        let (gaps, looped) = weaver.gaps.into_expressions();
        Ok(Program {
            main,
            blocks,
            marks: weaver.marks,
            gaps,
            printed: printed::expressions(&tree),
            looped,
        })
    }
}

fn parsed(source: &str) -> Result<Stmt<'_>, Error> {
    parse(source, NAME, SyntaxConfig::default())
}

type Compiled<'source> = (
    Instructions<'source>,
    BTreeMap<&'source str, Instructions<'source>>,
);

fn generate<'source>(source: &'source str, tree: &Stmt<'source>) -> Compiled<'source> {
    let mut generator = CodeGenerator::new(NAME, source);
    generator.compile_stmt(tree);
    generator.finish()
}

struct Weaver<'source, 'values> {
    source: &'source str,
    /// Offset of each stand-in in the template, its length, and its text.
    stand_ins: Vec<(usize, usize, &'values str)>,
    marks: Vec<Origin>,
    gaps: Gaps<'source>,
}

impl<'source, 'values> Weaver<'source, 'values> {
    fn new(source: &'source str, values: &[(char, &'values str)], gaps: Gaps<'source>) -> Self {
        let mut from = 0;
        let stand_ins = values
            .iter()
            .filter_map(|&(stand_in, text)| {
                let at = from + source[from..].find(stand_in)?;
                from = at + stand_in.len_utf8();
                Some((at, stand_in.len_utf8(), text))
            })
            .collect();
        Self {
            source,
            stand_ins,
            marks: Vec::new(),
            gaps,
        }
    }

    /// `located` are the same instructions, all with their spans.
    fn weave(
        &mut self,
        plain: &Instructions<'source>,
        located: &Instructions<'_>,
    ) -> Instructions<'source> {
        let captured = captured(plain);
        let mut instrumented = Instructions::new(plain.name(), plain.source());
        let mut moved = Vec::with_capacity(captured.len() + 1);
        let mut length = 0;
        for (at, &captured) in (0..).zip(&captured) {
            moved.push(length);
            let Some(instruction) = plain.get(at) else {
                break;
            };
            let span = plain.get_span(at);
            let place = located.get_span(at);
            let mut steps = match (instruction, plain.get(at + 1)) {
                (Instruction::Lookup("on"), Some(Instruction::PushAutoEscape)) => {
                    vec![Instruction::LoadConst(Value::from(true))]
                }
                (Instruction::Lookup("off"), Some(Instruction::PushAutoEscape)) => {
                    vec![Instruction::LoadConst(Value::from(false))]
                }
                (Instruction::EmitRaw(text), _) => self.print_text(text, captured),
                (Instruction::Emit, _) if !captured => {
                    let range = place.map_or(0..0, |span| {
                        span.start_offset as usize..span.end_offset as usize
                    });
                    self.print_marked(Origin::Expression(range))
                }
                _ => with_cost_counters(instruction),
            };
            if let Some(gap) = place.and_then(|place| self.gap(instruction, place)) {
                steps.push(Instruction::LoadConst(Value::from(gap)));
                steps.push(Instruction::LoadConst(Value::from(captured)));
                steps.push(Instruction::ApplyFilter(GAP, Some(3), NOT_CACHED));
            }
            if let Some(looped) = place.and_then(|place| self.looped(instruction, place)) {
                steps.push(Instruction::LoadConst(Value::from(looped)));
                steps.push(Instruction::ApplyFilter(LOOP, Some(2), NOT_CACHED));
            }
            for step in steps {
                length = 1 + match (span, plain.get_line(at)) {
                    (Some(span), _) => instrumented.add_with_span(step, span),
                    (None, Some(line)) => {
                        instrumented.add_with_line(step, u16::try_from(line).unwrap_or(u16::MAX))
                    }
                    (None, None) => instrumented.add(step),
                };
            }
        }
        moved.push(length);
        for at in 0..length {
            if let Some(target) = instrumented.get_mut(at).and_then(target) {
                *target = moved.get(*target as usize).copied().unwrap_or(length);
            }
        }
        instrumented
    }

    /// The expression that an instruction looks up, if it leaves a gap without a value.
    fn gap(&self, instruction: &Instruction<'source>, span: Span) -> Option<usize> {
        match instruction {
            Instruction::Lookup(name) => self.gaps.find(span, Some(name)),
            Instruction::GetAttr(_) | Instruction::GetItem => self.gaps.find(span, None),
            _ => None,
        }
    }

    /// The expression that an instruction looks up, if a loop goes over it.
    fn looped(&self, instruction: &Instruction<'source>, span: Span) -> Option<usize> {
        match instruction {
            Instruction::Lookup(name) => self.gaps.find_looped(span, Some(name)),
            Instruction::GetAttr(_) | Instruction::GetItem => self.gaps.find_looped(span, None),
            _ => None,
        }
    }

    /// Prints a piece of the template, with what stand-ins stand for put in their places.
    fn print_text(&mut self, text: &'source str, captured: bool) -> Vec<Instruction<'source>> {
        // Pieces are slices of the template, so their address says where they are.
        let start = (text.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        let mut pieces = Vec::new();
        let mut from = start;
        let end = start.wrapping_add(text.len());
        if self.source.get(start..end) == Some(text) {
            for (index, &(at, length, value)) in self.stand_ins.iter().enumerate() {
                if (start..end).contains(&at) {
                    pieces.push((&self.source[from..at], Origin::Text(from..at)));
                    pieces.push((value, Origin::Value(index, at..at + length)));
                    from = at + length;
                }
            }
            pieces.push((&self.source[from..end], Origin::Text(from..end)));
        } else {
            pieces.push((text, Origin::Text(0..0)));
        }
        let mut steps = Vec::new();
        for (text, origin) in pieces {
            if text.is_empty() {
                continue;
            }
            let constant = Value::from_safe_string(text.to_owned());
            steps.push(Instruction::LoadConst(constant));
            if captured {
                steps.push(Instruction::Emit);
            } else {
                steps.extend(self.print_marked(origin));
            }
        }
        steps
    }

    /// Prints what is on the stack, noting how much of the output it made.
    fn print_marked(&mut self, origin: Origin) -> Vec<Instruction<'source>> {
        self.marks.push(origin);
        vec![
            Instruction::LoadConst(Value::from(self.marks.len() - 1)),
            Instruction::ApplyFilter(MARK, Some(2), NOT_CACHED),
            Instruction::Emit,
        ]
    }
}

/// The instruction, with instructions before and after it that count its cost.
fn with_cost_counters<'source>(instruction: &Instruction<'source>) -> Vec<Instruction<'source>> {
    let filter = |name| Instruction::ApplyFilter(name, Some(1), NOT_CACHED);
    // The topmost `count` values, counted together and put back.
    let operands = |count| {
        [
            Instruction::BuildTuple(count),
            filter(COUNT),
            Instruction::UnpackLists(1),
        ]
    };
    let binary = |before: &'static str, keep: bool| {
        let mut steps = vec![
            Instruction::BuildTuple(Some(2)),
            filter(before),
            Instruction::UnpackLists(1),
            Instruction::DiscardTop,
            instruction.clone(),
        ];
        if keep {
            steps.push(filter(KEEP));
        }
        steps
    };
    let call = |count: Option<u16>, call: Instruction<'source>| {
        let mut steps = operands(count.map(usize::from)).to_vec();
        steps.extend([call, filter(KEEP)]);
        steps
    };
    match instruction {
        Instruction::Mul => binary(REPEAT, true),
        Instruction::Add => binary(COUNT, true),
        Instruction::StringConcat => {
            vec![Instruction::ApplyFilter(CONCAT, Some(2), NOT_CACHED)]
        }
        Instruction::Eq | Instruction::Ne => binary(COUNT, false),
        Instruction::Gt | Instruction::Gte | Instruction::Lt | Instruction::Lte => {
            binary(ORDER, false)
        }
        Instruction::In => binary(CONTAIN, false),
        // The operator's type has no public name; its variants are in the order `==`, `!=`, `<`,
        // `<=`, `>`, `>=`, `in`, `not in`.
        Instruction::CompareAndPreserve(operator) => match *operator as u8 {
            0 | 1 => binary(COUNT, false),
            2..=5 => binary(ORDER, false),
            _ => binary(CONTAIN, false),
        },
        Instruction::Slice => {
            let mut steps = operands(Some(4)).to_vec();
            steps.extend([
                Instruction::DiscardTop,
                Instruction::ApplyFilter(SLICE, Some(4), NOT_CACHED),
                filter(KEEP),
            ]);
            steps
        }
        Instruction::BuildList(_)
        | Instruction::BuildMap(_)
        | Instruction::BuildTuple(_)
        | Instruction::EndCapture => vec![instruction.clone(), filter(KEEP)],
        Instruction::GetItem
        | Instruction::PushLoop(_)
        | Instruction::FastRecurse
        | Instruction::UnpackList(_) => vec![filter(COUNT), instruction.clone()],
        Instruction::SetAttr(_) => vec![
            Instruction::Swap,
            filter(SETTABLE),
            Instruction::Swap,
            instruction.clone(),
        ],
        Instruction::CallFunction(name, count) => {
            call(*count, Instruction::CallFunction(name, None))
        }
        Instruction::CallMethod(name, count) => call(*count, Instruction::CallMethod(name, None)),
        Instruction::CallObject(count) => call(*count, Instruction::CallObject(None)),
        _ => vec![instruction.clone()],
    }
}

/// The place an instruction may jump to.
fn target<'a>(instruction: &'a mut Instruction<'_>) -> Option<&'a mut u32> {
    match instruction {
        Instruction::Iterate(target)
        | Instruction::Jump(target)
        | Instruction::JumpIfFalse(target)
        | Instruction::JumpIfFalseOrPop(target)
        | Instruction::JumpIfTrueOrPop(target)
        | Instruction::BuildMacro(_, target, _) => Some(target),
        _ => None,
    }
}

/// For each instruction, whether what it prints goes into a text instead of the output.
fn captured(plain: &Instructions<'_>) -> Vec<bool> {
    let mut captured = Vec::new();
    let mut depth = 0_usize;
    while let Some(instruction) = plain.get(captured.len() as u32) {
        match instruction {
            Instruction::BeginCapture(_) => depth += 1,
            Instruction::EndCapture => depth = depth.saturating_sub(1),
            // The body of a macro comes before the instruction that builds it.
            Instruction::BuildMacro(_, body, _) => {
                for inside in captured.iter_mut().skip(*body as usize) {
                    *inside = true;
                }
            }
            _ => {}
        }
        captured.push(depth > 0);
    }
    captured
}
