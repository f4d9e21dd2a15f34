import { type AST, RegExpParser } from '@eslint-community/regexpp'

/**
 * Returns whether V8 of Node 26 may overlook a match of an expression, as `/[^ ]$/u` overlooks '😀'.
 *
 * When an expression has `$` at its end, no `^` at its start and a limited length, V8 looks only at the last code units of
 * the text, as many as the longest match has. With the flag `u` it counts one for a class in brackets, although 😀 takes two.
 * With `v`, `g` or `y` it counts correctly. May also be true for expressions that V8 treats correctly.
 */
export function startsLate(source: string, flags: string): boolean {
  if (!flags.includes('u') || /[gmy]/.test(flags)) return false
  const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode: true })
  return (
    pattern.alternatives.every((each) => isAnchored(each.elements.toReversed(), 'end')) &&
    !pattern.alternatives.every((each) => isAnchored(each.elements, 'start')) &&
    Number.isFinite(lengthMax(pattern.alternatives)) &&
    pattern.alternatives.some(({ elements }) => elements.some(hasWideClass))
  )
}

/** @param elements in the order in which V8 looks at them, from that side. */
function isAnchored(elements: readonly AST.Element[], side: 'start' | 'end'): boolean {
  for (const element of elements) {
    if (element.type === 'Assertion' && element.kind === side) return true
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      const inOrder = ({ elements: inner }: AST.Alternative) => (side === 'end' ? inner.toReversed() : inner)
      if (element.alternatives.every((each) => isAnchored(inOrder(each), side))) return true
    }
    if (lengthOf(element) > 0) return false
  }
  return false
}

function lengthMax(alternatives: readonly AST.Alternative[]): number {
  return Math.max(...alternatives.map(({ elements }) => elements.reduce((sum, each) => sum + lengthOf(each), 0)))
}

/** Returns the most characters of an element. */
function lengthOf(element: AST.Element): number {
  switch (element.type) {
    case 'Assertion':
      return 0
    case 'Backreference':
      return Number.POSITIVE_INFINITY
    case 'Group':
    case 'CapturingGroup':
      return lengthMax(element.alternatives)
    case 'Quantifier':
      return element.max === 0 ? 0 : element.max * lengthOf(element.element)
    default:
      return 1
  }
}

/** Returns whether an element has a class in brackets that matches characters of two code units. */
function hasWideClass(element: AST.Element): boolean {
  switch (element.type) {
    case 'CharacterClass':
      return element.negate || element.elements.some(isWide)
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.some(({ elements }) => elements.some(hasWideClass))
    case 'Quantifier':
      return hasWideClass(element.element)
    default:
      return false
  }
}

function isWide(element: AST.CharacterClassElement): boolean {
  if (element.type === 'Character') return element.value > 0xffff
  if (element.type === 'CharacterClassRange') return element.max.value > 0xffff
  return element.type !== 'CharacterSet' || element.kind === 'property' || element.negate
}
