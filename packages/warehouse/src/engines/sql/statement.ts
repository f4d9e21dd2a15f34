/**
 * A statement with its parameters: the texts around them, and their values. Products write parameters differently, so
 * the text is put together when it is sent.
 */
export interface Statement {
  /** One more than values. */
  readonly texts: readonly string[]
  readonly values: readonly string[]
}

/** A value that is sent beside the statement. */
export class Bound {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/**
 * Makes a statement of a template: texts are inserted as they are, so they must be quoted names or SQL of our own; what
 * is `Bound` becomes a parameter.
 */
export function sql(template: TemplateStringsArray, ...parts: readonly (string | Bound | Statement)[]): Statement {
  const texts: string[] = []
  const values: string[] = []
  let text = template[0] ?? ''
  for (const [place, part] of parts.entries()) {
    if (typeof part === 'string') text += part
    else {
      const inner = part instanceof Bound ? { texts: ['', ''], values: [part.value] } : part
      texts.push(text + inner.texts[0], ...inner.texts.slice(1, -1))
      values.push(...inner.values)
      // A statement without parameters is only text.
      text = inner.values.length === 0 ? (texts.pop() ?? '') : (inner.texts.at(-1) ?? '')
    }
    text += template[place + 1] ?? ''
  }
  return { texts: [...texts, text], values }
}

/** Joins statements, which may be parts of one, with a text between them. */
export function joined(statements: readonly Statement[], between: string): Statement {
  const [first, ...others] = statements
  return others.reduce((all, each) => sql`${all}${between}${each}`, first ?? sql``)
}

/** Returns the text as it is sent. @param parameter how the product writes its n-th parameter, from 1. */
export function textOf({ texts }: Statement, parameter: (place: number) => string): string {
  return texts.reduce((all, text, place) => `${all}${place === 0 ? '' : parameter(place)}${text}`, '')
}
