import './code.css'
import { type DifferenceLine, differenceLines } from './difference-lines.ts'
import { JsonLeaf } from './json-leaf.tsx'

interface JsonDifferenceProps {
  readonly label: string
  readonly before: unknown
  readonly after: unknown
  /** In place of lines where both are equal. */
  readonly equal?: string
}

const signs = { same: ['', ''], added: ['add', '+'], removed: ['del', '−'], gap: ['gap', ''] } as const

/** What changed between two JSON values, such as an event before and after code. */
export function JsonDifference({ label, before, after, equal = 'Nothing changes.' }: JsonDifferenceProps) {
  const lines = differenceLines(before, after)
  if (lines.length === 0) return <p class="hint">{equal}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class="diff" tabIndex={0} aria-label={label}>
      {lines.map((line, n) => (
        <Line key={n} line={line} />
      ))}
    </section>
  )
}

function Line({ line: { sign, depth, name, value, isBracket } }: { readonly line: DifferenceLine }) {
  const [kind, mark] = signs[sign]
  const word = { same: '', gap: '', added: 'added: ', removed: 'removed: ' }[sign]
  return (
    <div class={`diff-line ${kind}`}>
      <span class="sign" aria-hidden="true">
        {mark}
      </span>
      <code>
        {word === '' ? null : <span class="unseen">{word}</span>}
        {'  '.repeat(depth)}
        {sign === 'gap' ? (
          `${String(value)} ${value === 1 ? 'line is' : 'lines are'} equal`
        ) : (
          <>
            {name === undefined ? null : <span class="c-key">{`${JSON.stringify(name)}: `}</span>}
            {isBracket ? String(value) : <JsonLeaf value={value} />}
          </>
        )}
      </code>
    </div>
  )
}
