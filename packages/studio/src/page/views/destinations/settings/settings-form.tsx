import type { StateUpdater } from 'preact/hooks'
import type { Definition, Setting } from '../records.ts'
import { SettingControl } from './controls/setting-control.tsx'
import { isObject, settingList } from './controls/setting-list.ts'
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
  const secrets = new Set(definition.secretKeys)
  const field = ([name, setting]: readonly [string, Setting]) => (
    <Field
      key={name}
      name={name}
      setting={setting}
      value={settings[name]}
      secrets={secrets}
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
  readonly secrets: ReadonlySet<string>
  readonly isRequired: boolean
  readonly isFixed: boolean
  readonly problem: string | undefined
  readonly onChange: (value: unknown) => void
}

function Field({ name, setting, value, secrets, isRequired, isFixed, problem, onChange }: FieldProps) {
  const id = `setting-${name}`
  const help = [
    setting.description,
    setting.allowed && `Allowed: ${setting.allowed}.`,
    secrets.has(name) && 'Never shown again: leave it empty to keep the one that is stored.',
  ]
    .filter(Boolean)
    .join(' ')
  const described = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const title = (
    <>
      {setting.title ?? name}
      {isRequired ? <span class="soft"> required</span> : null}
    </>
  )
  const control = (
    <SettingControl
      id={id}
      path={name}
      setting={setting}
      value={value}
      secrets={secrets}
      isFixed={isFixed}
      isInvalid={problem !== undefined}
      describedBy={described || undefined}
      onChange={onChange}
    />
  )
  const words = (
    <>
      {help ? (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      ) : null}
      {problem ? (
        <span class="in bad" role="alert" id={`${id}-problem`}>
          {problem}
        </span>
      ) : null}
    </>
  )
  // A label names one control, a legend several.
  return isObject(setting) || settingList(setting, value ?? setting.default) ? (
    <fieldset class="field">
      <legend class="field-name">{title}</legend>
      {control}
      {words}
    </fieldset>
  ) : (
    <div class="field">
      <label class="field-name" for={id}>
        {title}
      </label>
      {control}
      {words}
    </div>
  )
}
