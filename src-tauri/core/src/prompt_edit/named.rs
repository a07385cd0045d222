//! Text that names a variable of its section: it prints the variable's value, as it does on a card.

use super::{Plan, Prompt, Refusal, place};

impl Prompt<'_> {
    /// The plan with the values in place of the names that its new text spells out. The plan stays as it
    /// is where the prompt has such a name already, as text of another section.
    pub(super) fn with_values(&self, mut plan: Plan) -> Plan {
        let Some(Refusal::Variable { section, .. }) = &plan.spelled else {
            return plan;
        };
        let Some(owning_section) = self.registry.section(section) else {
            return plan;
        };
        for name in owning_section.template_vars() {
            let spelled = format!("{{{name}}}");
            if self.hydration.text.contains(&spelled) {
                continue;
            }
            let qualified_name = format!("{section}::{name}");
            let value = place::value(owning_section, self.call.state, &qualified_name, name);
            for prompt in &mut plan.prompts {
                let found = prompt.text.match_indices(&spelled);
                let found: Vec<_> = found.map(|(at, _)| at).collect();
                if found.is_empty() {
                    continue;
                }
                let within =
                    |&start: &usize| start < prompt.caret && prompt.caret <= start + spelled.len();
                if value.is_empty() && prompt.behind.is_none() && found.iter().any(within) {
                    prompt.behind = Some(name.clone());
                }
                let moved = |at: usize| moved(at, &found, spelled.len(), value.len());
                prompt.caret = moved(prompt.caret);
                for (end, _) in &mut prompt.newlines_lost {
                    *end = moved(*end);
                }
                prompt.text = prompt.text.replace(&spelled, value);
                plan.trims |= value.is_empty();
            }
        }
        plan
    }
}

/// Where a position is once the texts of one length that start at these places have another length; one
/// inside such a text is then behind it.
fn moved(caret: usize, starts: &[usize], from: usize, to: usize) -> usize {
    let before = starts.partition_point(|&start| start < caret);
    let Some(last) = before.checked_sub(1).map(|last| starts[last]) else {
        return caret;
    };
    caret.max(last + from) + before * to - before * from
}
