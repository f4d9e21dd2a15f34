/** Returns a name in double quotes, as standard SQL writes names that may be anything. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The same with backticks, as MySQL and Databricks do. */
export function quotedWithTicks(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** The same with backslashes before what has a meaning, as ClickHouse and BigQuery do. */
export function quotedWithBackslashes(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** Returns names in quotes, with commas between them. */
export function quotedList(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + quoted(name)).join(', ')
}
