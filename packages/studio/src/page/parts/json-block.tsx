import { Scroll } from './scroll.tsx'

/** Characters that are shown of a value: a megabyte as text makes no page slow. */
const shownMax = 200_000

/** A value as JSON text. */
export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
  const isCut = text.length > shownMax
  return (
    <>
      <Scroll label={label}>
        <pre class="payload">{isCut ? text.slice(0, shownMax) : text}</pre>
      </Scroll>
      {isCut ? (
        <p class="hint">
          The first {shownMax} of {text.length} characters.
        </p>
      ) : null}
    </>
  )
}
