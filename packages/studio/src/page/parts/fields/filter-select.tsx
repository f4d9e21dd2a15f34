interface FilterSelectProps {
  readonly title: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}

/** A filter with few values, or none. */
export function FilterSelect({ title, value, options, onChange }: FilterSelectProps) {
  return (
    <label>
      {title}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">All</option>
        {Object.entries(options).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
