import type { Setting } from '../../records.ts'
import type { ControlProps, ShowPart } from './control-props.ts'
import { JsonField } from './json-field.tsx'
import { MemberCells } from './member-cells.tsx'
import { SecretInput } from './secret-input.tsx'
import { isObject, settingList, settingOfRows } from './setting-list.ts'
import { SettingRows } from './setting-rows.tsx'

/** The control of a setting by its schema: a choice, rows, members, a switch, a number, a text, or JSON. */
export function SettingControl(props: ControlProps) {
  const { id, label, path, setting, value, secrets, isFixed, isInvalid, describedBy, onChange } = props
  const known = value ?? setting.default
  const shared = {
    id,
    disabled: isFixed,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
  }
  const show: ShowPart = (part) => <SettingControl {...props} describedBy={undefined} {...part} />
  if (setting.enum)
    return (
      <select
        {...shared}
        value={String(known ?? '')}
        onChange={({ currentTarget }) => onChange(setting.enum?.find((each) => String(each) === currentTarget.value))}
      >
        {known === undefined ? <option value="">choose</option> : null}
        {setting.enum.map((each) => (
          <option key={String(each)} value={String(each)}>
            {setting.choices?.[String(each)] ?? String(each)}
          </option>
        ))}
      </select>
    )
  const list = settingList(setting, known)
  if (list)
    return (
      <SettingRows
        {...props}
        {...list}
        show={show}
        onChange={(rows) => onChange(settingOfRows(setting, value, rows))}
      />
    )
  if (secrets.has(path)) return <SecretInput {...shared} value={value} onChange={onChange} />
  if (isObject(setting)) return <MemberCells part={props} show={show} />
  if (setting.type === 'boolean')
    return (
      <input
        {...shared}
        type="checkbox"
        checked={Boolean(known)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (isWritten(setting, known)) return <JsonField {...shared} value={known} onChange={onChange} />
  const typed = {
    ...shared,
    spellcheck: false,
    value: value === undefined || value === null ? '' : String(value),
    placeholder: setting.default === undefined ? (setting.placeholder ?? '') : String(setting.default),
  }
  const setText = (text: string, toValue: (text: string) => unknown): void =>
    onChange(text === '' ? undefined : toValue(text))
  return setting.type === 'integer' || setting.type === 'number' ? (
    <input {...typed} type="number" onInput={({ currentTarget }) => setText(currentTarget.value, Number)} />
  ) : (
    <input {...typed} type="text" onInput={({ currentTarget }) => setText(currentTarget.value, String)} />
  )
}

/** Whether a value is written as JSON: an object of any members, or a list in a form that has no rows. */
function isWritten({ type }: Setting, value: unknown): boolean {
  const isNested = [type].flat().some((each) => each === 'array' || each === 'object')
  return isNested || (typeof value === 'object' && value !== null)
}
