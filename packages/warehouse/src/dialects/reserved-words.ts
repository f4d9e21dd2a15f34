/** The words that PostgreSQL reserves, as RudderStack escapes them: ten are missing, and between, new, off, old added. */
const postgres = words(`
  all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate column
  constraint create cross current_date current_role current_time current_timestamp current_user default deferrable desc
  distinct do else end except false for foreign freeze from full grant group having ilike in initially inner intersect
  into is isnull join leading left like limit localtime localtimestamp natural new not notnull null off offset old on
  only or order outer overlaps placing primary references right select session_user similar some symmetric table then to
  trailing true union unique user using verbose when where`)

/** How the words of a product differ from those of PostgreSQL. */
interface Difference {
  readonly less?: string
  readonly more?: string
}

/**
 * Returns the words that get `_` in front, in lower case. Names are always quoted, so the prefix is for people who write
 * queries.
 */
export function reservedWords({ less = '', more = '' }: Difference): ReadonlySet<string> {
  const without = new Set(words(less))
  return new Set([...postgres.filter((word) => !without.has(word)), ...words(more)])
}

/** Returns the words of a text as a set. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text))
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
