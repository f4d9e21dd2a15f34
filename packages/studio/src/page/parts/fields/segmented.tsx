import type { ComponentChildren } from 'preact'

interface SegmentedProps<Value extends string> {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly text: ComponentChildren }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** A choice of few, all of which are seen. */
export function Segmented<Value extends string>({ label, options, value, onChange }: SegmentedProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line in all browsers.
    <div class="segmented" role="group" aria-label={label}>
      {options.map((each) => (
        <button
          key={each.value}
          type="button"
          class="bare"
          aria-pressed={each.value === value}
          onClick={() => onChange(each.value)}
        >
          {each.text}
        </button>
      ))}
    </div>
  )
}
