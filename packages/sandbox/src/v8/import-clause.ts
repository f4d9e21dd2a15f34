/** A name that an import statement binds: to an export of the module, or with '*' to all of them. */
export interface ImportBinding {
  readonly imported: string
  readonly local: string
}

const comments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/**
 * Returns what an import statement binds.
 * @param statement from `import` to the specifier, without its quotes: `import a, { b as c } from`.
 */
export function importBindings(statement: string): readonly ImportBinding[] {
  const clause = statement
    .replace(comments, ' ')
    .replace(/^import\s*/, '')
    .replace(/\s*from\s*$/, '')
    .trim()
  const list = /\{([\s\S]*)\}/.exec(clause)?.[1] ?? ''
  const before = clause.replace(/\{[\s\S]*\}/, '')
  const standard = /^([\p{L}\p{N}_$]+)/u.exec(before)?.[1]
  const all = /\*\s*as\s+([\p{L}\p{N}_$]+)/u.exec(before)?.[1]
  return [
    ...(standard === undefined ? [] : [{ imported: 'default', local: standard }]),
    ...(all === undefined ? [] : [{ imported: '*', local: all }]),
    ...namesIn(list),
  ]
}

/** Matches `a`, `a as b` and `"a b" as c`. */
const entry = /(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\p{L}\p{N}_$]+))(?:\s+as\s+([\p{L}\p{N}_$]+))?/gu

function namesIn(list: string): readonly ImportBinding[] {
  return [...list.matchAll(entry)].map(([, double, single, name = '', local]) => {
    const imported = double ?? single ?? name
    return { imported, local: local ?? imported }
  })
}
