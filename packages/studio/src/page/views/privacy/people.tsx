import './privacy.css'
import { useEffect, useState } from 'preact/hooks'
import { PageHead } from '../../parts/page/page-head.tsx'
import { filters, setFilters } from '../../shell/router.ts'
import { FindPerson } from './find-person.tsx'
import { FoundPerson } from './found-person.tsx'
import { ImportList } from './list/import-list.tsx'
import { Person } from './person/person.tsx'
import { Regulations } from './regulations.tsx'
import { wantedPerson } from './wanted-person.ts'

/** One field for an id: what is held of this person, and what to do about it. Below, all requests. */
export function People() {
  const { user } = filters.value
  const [changes, setChanges] = useState(0)
  // An address of before names the person: it is taken in, and the id leaves the address.
  useEffect(() => {
    if (!user) return
    wantedPerson.value = { identifier: user, isUserId: true }
    setFilters({ user: '' })
  }, [user])
  const wanted = wantedPerson.value
  const changed = (): void => setChanges((count) => count + 1)
  return (
    <>
      <PageHead
        title="Privacy"
        note="What is held of a person and who got it. Suppress, delete, and prove it."
        actions={<ImportList onDone={changed} />}
      />
      <FindPerson key={wanted?.identifier ?? ''} />
      {wanted === undefined ? null : wanted.isUserId ? (
        <Person key={wanted.identifier} userId={wanted.identifier} onChanged={changed} />
      ) : (
        <FoundPerson key={wanted.identifier} identifier={wanted.identifier} onChanged={changed} />
      )}
      <Regulations changes={changes} />
    </>
  )
}
