/** Returns a time as DuckDB shows it. */
export function shownTime(iso: string): string {
  return iso
    .replace('T', ' ')
    .replace('Z', '')
    .replace(/\.000$/, '')
}
