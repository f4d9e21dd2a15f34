/** Returns what is wrong with the fields of an action, from what `fieldsToJsonSchema` threw for them. */
export function fieldsMistake(slug: string, thrown: unknown): string {
  const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : 'it threw a value that is no error'
  return `the fields of ${slug} cannot be read (${reason})`
}
