import './changes.css'
import { allows } from '../../api/session.ts'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { filters, setFilters } from '../../shell/router.ts'
import { CallList } from './call-list.tsx'
import { ChangeList } from './change-list.tsx'

/** Who changed what, as sentences; for admins also each call that changed something or read personal data. */
export function ChangesView() {
  const isAdmin = allows('admin')
  const tab = isAdmin && filters.value['tab'] === 'calls' ? 'calls' : 'changes'
  return (
    <>
      <PageHead title="Changes" note="Who changed what, the newest first." />
      {isAdmin ? (
        <Tabs
          label="Kinds of changes"
          value={tab}
          // Filters of one tab mean nothing to the other.
          onChange={(id) =>
            setFilters({
              ...Object.fromEntries(Object.keys(filters.value).map((key) => [key, ''])),
              tab: id === 'calls' ? id : '',
            })
          }
          tabs={[
            { id: 'changes', title: 'What changed', content: () => <ChangeList /> },
            { id: 'calls', title: 'Calls, with those that read personal data', content: () => <CallList /> },
          ]}
        />
      ) : (
        <ChangeList />
      )}
    </>
  )
}
