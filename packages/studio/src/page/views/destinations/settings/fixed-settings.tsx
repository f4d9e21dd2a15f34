import { Notice } from '../../../parts/notice.tsx'
import { Facts } from '../../../parts/page/facts.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import type { Definition, Destination } from '../records.ts'
import { settingLines } from './setting-lines.ts'

interface FixedSettingsProps {
  readonly definition: Definition | undefined
  readonly destination: Destination
}

/** Settings that the workspace file defines, as text: they are changed there. */
export function FixedSettings({ definition, destination: { config, enabled } }: FixedSettingsProps) {
  const properties = definition?.settings.properties ?? {}
  return (
    <>
      <Notice kind="plain">The workspace file defines this destination; change it there.</Notice>
      <Panel
        title="Settings"
        note="As the file has them; what is not listed has its default. Secrets come from the file or from variables of the environment that it names."
      >
        <Facts
          rows={[
            { name: 'State', value: enabled ? 'enabled' : 'disabled' },
            ...Object.entries(config).map(([name, value]) => ({
              name: properties[name]?.title ?? name,
              value: (
                <ul>
                  {settingLines(properties[name] ?? {}, value).map((line, n) => (
                    <li key={n}>{line}</li>
                  ))}
                </ul>
              ),
            })),
          ]}
        />
      </Panel>
    </>
  )
}
