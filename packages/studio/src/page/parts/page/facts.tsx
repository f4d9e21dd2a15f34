import type { ComponentChildren } from 'preact'

interface FactsProps {
  readonly rows: readonly { readonly name: string; readonly value: ComponentChildren }[]
}

/** Names and values of one thing. */
export function Facts({ rows }: FactsProps) {
  return (
    <dl class="facts">
      {rows.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
