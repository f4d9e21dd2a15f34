import type { SettingPart, ShowPart } from './control-props.ts'
import { memberOfRow, rowWithMember } from './setting-list.ts'

/** The members of an object, each with its name and control; one control for anything else. */
export function MemberCells({ part, show }: { readonly part: SettingPart; readonly show: ShowPart }) {
  const { id, label, path, setting: item, value: row, onChange } = part
  if (item.properties === undefined) return <>{show(part)}</>
  return (
    <>
      {Object.entries(item.properties).map(([member, setting]) => {
        const title = setting.title ?? member
        return (
          <span key={member} class="cell-field">
            <span class="cell-name" aria-hidden="true">
              {title}
            </span>
            {show({
              id: `${id}-${member}`,
              label: label === undefined ? title : `${label}, ${title}`,
              path: `${path}.${member}`,
              setting,
              value: memberOfRow(row, member, item),
              onChange: (value) => onChange(rowWithMember(row, member, item, value)),
            })}
          </span>
        )
      })}
    </>
  )
}
