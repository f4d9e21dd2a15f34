import { useState } from 'preact/hooks'
import { Tag } from '../../../../parts/signs/tag.tsx'
import { maskedText } from '../../records.ts'

interface SecretInputProps {
  readonly id: string
  readonly value: unknown
  readonly disabled: boolean
  readonly 'aria-label'?: string | undefined
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid': boolean
  readonly onChange: (value: unknown) => void
}

/** A secret: one that the server has is not shown, and stays unless another is typed. In a row there is only its mask. */
export function SecretInput({ value, onChange, ...shared }: SecretInputProps) {
  const isInRow = shared['aria-label'] !== undefined
  const [wasStored] = useState(value === maskedText)
  const isStored = value === maskedText
  return (
    <span class="secret">
      <input
        {...shared}
        type="password"
        autocomplete="off"
        spellcheck={false}
        class="mono"
        value={isStored || value === undefined ? '' : String(value)}
        placeholder={isStored ? maskedText : ''}
        onInput={(event) => {
          const text = event.currentTarget.value
          onChange(text === '' ? (wasStored ? maskedText : undefined) : text)
        }}
      />
      {isStored && !isInRow ? <Tag>stored by the server</Tag> : null}
    </span>
  )
}
