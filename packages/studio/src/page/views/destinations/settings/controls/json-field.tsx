import { useState } from 'preact/hooks'

interface JsonFieldProps {
  readonly id: string
  readonly value: unknown
  readonly disabled: boolean
  readonly 'aria-label'?: string | undefined
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid': boolean
  readonly onChange: (value: unknown) => void
}

/** A value of any form, written as JSON. What is not JSON yet is kept as it is, and not passed on. */
export function JsonField({ value, onChange, ...shared }: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [isWrong, setWrong] = useState(false)
  return (
    <>
      <textarea
        {...shared}
        class="mono"
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value
          setText(next)
          try {
            onChange(next.trim() === '' ? undefined : JSON.parse(next))
            setWrong(false)
          } catch {
            setWrong(true)
          }
        }}
      />
      {isWrong ? <span class="in bad">This is not JSON yet; the last valid value counts.</span> : null}
    </>
  )
}
