/** A time to the second in UTC, for what is kept or printed. */
export function ExactTime({ at }: { readonly at: string }) {
  return <time dateTime={at}>{new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC</time>
}
