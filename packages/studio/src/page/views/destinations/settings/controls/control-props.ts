import type { Setting } from '../../records.ts'

/** What the control of a setting, or of a part of it, needs. */
export interface ControlProps extends SettingPart {
  /** Paths whose values are never shown. */
  readonly secrets: ReadonlySet<string>
  readonly isFixed: boolean
  readonly isInvalid: boolean
  readonly describedBy: string | undefined
}

/** A setting, an element of a list, or a member of an object. */
export interface SettingPart {
  readonly id: string
  /** Its name for those who do not see the label beside it. */
  readonly label?: string
  /** Dotted names of members from the settings on; elements of a list have none of their own. */
  readonly path: string
  readonly setting: Setting
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

/** Shows the control of a part within another one. */
export type ShowPart = (part: SettingPart) => preact.ComponentChildren
