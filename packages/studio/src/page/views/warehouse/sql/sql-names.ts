/** Returns a name with quotes, as SQL takes every name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns a name as people write it: with quotes only where it has other characters. */
export function shownName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoted(name)
}

/** Returns a text as a value of SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
