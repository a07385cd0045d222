// Holds the pointer's states still for the sheet of primitives: every rule that is written for
// `:hover` rules are repeated for elements inside one of the class `hovered`. The rules are the
// studio's own, so that the sheet can show no state that the window does not have.

const HOVER = ':hover';
/** As specific as the state it replaces, so that the same rules win. */
const HELD = ':is(.hovered *)';

function holdIn(rules: CSSRuleList, sheet: CSSStyleSheet | CSSGroupingRule): void {
  // From the end, for what is put in moves what follows.
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const rule = rules[at];
    if (rule instanceof CSSGroupingRule && !(rule instanceof CSSStyleRule)) {
      holdIn(rule.cssRules, rule);
    } else if (rule instanceof CSSStyleRule && rule.selectorText.includes(HOVER)) {
      const forcedRule = rule.cssText.replace(
        rule.selectorText,
        rule.selectorText.replaceAll(HOVER, HELD),
      );
      sheet.insertRule(forcedRule, at + 1);
    }
  }
}

/** Has the elements of the class `hovered` show what is in them as if it were pointed at. */
export function holdHover(): void {
  for (const sheet of document.styleSheets) holdIn(sheet.cssRules, sheet);
}
