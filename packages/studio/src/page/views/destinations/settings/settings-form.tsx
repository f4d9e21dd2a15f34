import { type StateUpdater, useState } from 'preact/hooks'
import type { Definition, Setting } from '../records.ts'
import { groupsOf } from './setting-groups.ts'

export type Settings = Readonly<Record<string, unknown>>

interface SettingsFormProps {
  readonly definition: Definition
  readonly settings: Settings
  readonly onChange: (update: StateUpdater<Settings>) => void
  readonly isFixed: boolean
  /** What is wrong with a setting, by its name. */
  readonly problems: ReadonlyMap<string, string>
}

/** A form of the settings of a destination type, made from its definition: in its groups, where its conditions hold. */
export function SettingsForm({ definition, settings, onChange, isFixed, problems }: SettingsFormProps) {
  const { properties = {}, required = [] } = definition.settings
  const field = ([name, setting]: readonly [string, Setting]) => (
    <Field
      key={name}
      name={name}
      setting={setting}
      value={settings[name]}
      isSecret={definition.secretKeys.includes(name)}
      isRequired={required.includes(name) && setting.default === undefined}
      isFixed={isFixed}
      problem={problems.get(name)}
      onChange={(value) => onChange((before) => ({ ...before, [name]: value }))}
    />
  )
  return (
    <>
      {groupsOf(properties, settings, new Set(problems.keys())).map(({ title = 'Settings', fields }) =>
        fields.length === 0 ? null : (
          <fieldset key={title}>
            <legend>{title}</legend>
            <div class="form-fields">{fields.map(field)}</div>
          </fieldset>
        ),
      )}
    </>
  )
}

interface FieldProps {
  readonly name: string
  readonly setting: Setting
  readonly value: unknown
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly isFixed: boolean
  readonly problem: string | undefined
  readonly onChange: (value: unknown) => void
}

function Field(props: FieldProps) {
  const { name, setting, isRequired, isSecret, problem } = props
  const id = `setting-${name}`
  const help = [setting.description, setting.allowed && `Allowed: ${setting.allowed}.`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {setting.title ?? name}
        {isRequired ? <span class="soft"> required</span> : null}
      </label>
      <Control id={id} {...props} />
      {help || isSecret ? (
        <span class="help" id={`${id}-help`}>
          {help}
          {isSecret ? ' Kept by the server, and never shown again: leave it as it is to keep what is there.' : ''}
        </span>
      ) : null}
      {problem ? (
        <span class="in bad" role="alert" id={`${id}-problem`}>
          {problem}
        </span>
      ) : null}
    </div>
  )
}

function Control({ id, setting, value, isSecret, isFixed, problem, onChange }: FieldProps & { readonly id: string }) {
  const shared = {
    id,
    disabled: isFixed,
    'aria-describedby': `${id}-help${problem ? ` ${id}-problem` : ''}`,
    'aria-invalid': problem !== undefined,
  }
  if (setting.enum)
    return (
      <select
        {...shared}
        value={String(value ?? setting.default ?? '')}
        onChange={(event) => onChange(setting.enum?.find((each) => String(each) === event.currentTarget.value))}
      >
        {value === undefined && setting.default === undefined ? <option value="">choose</option> : null}
        {setting.enum.map((each) => (
          <option key={String(each)} value={String(each)}>
            {setting.choices?.[String(each)] ?? String(each)}
          </option>
        ))}
      </select>
    )
  if (setting.type === 'boolean')
    return (
      <input
        {...shared}
        type="checkbox"
        checked={Boolean(value ?? setting.default)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if ([setting.type].flat().some((type) => type === 'array' || type === 'object'))
    return <JsonField {...shared} value={value ?? setting.default} onChange={onChange} />
  const isNumber = setting.type === 'integer' || setting.type === 'number'
  const typed = {
    ...shared,
    spellcheck: false,
    value: value === undefined ? '' : String(value),
    placeholder: setting.default === undefined ? (setting.placeholder ?? '') : String(setting.default),
    onInput: ({ currentTarget: { value: text } }: { readonly currentTarget: HTMLInputElement }) =>
      onChange(text === '' ? undefined : isNumber ? Number(text) : text),
  }
  if (isSecret) return <input {...typed} type="password" autocomplete="off" />
  return isNumber ? <input {...typed} type="number" /> : <input {...typed} type="text" />
}

/** A list or an object, written as JSON. What is not JSON yet is kept as it is, and not passed on. */
function JsonField({
  value,
  onChange,
  ...shared
}: {
  readonly id: string
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}) {
  const [text, setText] = useState(JSON.stringify(value ?? null, null, 2))
  const [isWrong, setWrong] = useState(false)
  return (
    <>
      <textarea
        {...shared}
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
