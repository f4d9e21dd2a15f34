import './code.css'
import { type CodeLanguage, paintCode } from './paint-code.ts'

/** What is said about one line. */
export interface LineMark {
  /** Share of the time that the line takes, 0 to 1. */
  readonly heat?: number
  readonly heatText?: string
  readonly kind?: 'now' | 'wrong' | 'new' | 'changed'
  /** Below the line, such as the error that it throws. */
  readonly note?: string
}

interface CodeLinesProps {
  readonly label: string
  readonly text: string
  readonly language?: CodeLanguage
  /** Number of the first line. */
  readonly first?: number
  /** By number of line. */
  readonly marks?: Readonly<Record<number, LineMark>>
}

/** Code to read, with numbers, colours, and marks of lines. */
export function CodeLines({ label, text, language = 'javascript', first = 1, marks = {} }: CodeLinesProps) {
  const hasHeat = Object.values(marks).some(({ heat }) => heat !== undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class={`code-lines${hasHeat ? ' with-heat' : ''}`} tabIndex={0} aria-label={label}>
      {paintCode(text, language).map((tokens, n) => {
        const { heat = 0, heatText, kind = '', note } = marks[n + first] ?? {}
        return (
          <div key={n}>
            <div class={`line ${kind}`}>
              <span class="no">{n + first}</span>
              {hasHeat ? (
                <i class="heat" title={heatText}>
                  {heat === 0 ? null : (
                    <svg aria-hidden="true">
                      <rect
                        class={`h${Math.max(1, Math.ceil(heat * 4))}`}
                        width={`${Math.round(heat * 100)}%`}
                        height="100%"
                      />
                    </svg>
                  )}
                </i>
              ) : null}
              <code>
                {tokens.length === 0
                  ? ' '
                  : tokens.map(({ kind, text }, place) => (
                      <span key={place} class={kind === '' ? '' : `c-${kind}`}>
                        {text}
                      </span>
                    ))}
              </code>
            </div>
            {note === undefined ? null : (
              <div class="line-note">
                <span>{note}</span>
              </div>
            )}
          </div>
        )
      })}
    </section>
  )
}
