import { Notice } from '../../../parts/notice.tsx'
import { PageHead } from '../../../parts/page/page-head.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { LetterMark } from '../../../parts/signs/letter-mark.tsx'
import { addressOf, filters } from '../../../shell/router.ts'
import { DestinationForm } from './destination-form.tsx'
import { Gallery } from './gallery.tsx'
import { useDefinitions } from './use-definitions.ts'

const crumbs = [{ text: 'Destinations', href: addressOf('/destinations') }]

/** Chooses a type from the gallery, then its settings. Nothing is sent before a source is connected. */
export function NewDestination() {
  const { value: definitions, error } = useDefinitions()
  const { type = '' } = filters.value
  const chosen = definitions?.find((each) => each.type === type)
  if (definitions === undefined)
    return (
      <>
        <PageHead title="Add a destination" crumbs={crumbs} />
        {error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton lines={6} />}
      </>
    )
  if (chosen === undefined)
    return (
      <>
        <PageHead
          title="Add a destination"
          note="Where should events go? Nothing is sent before you connect a source."
          crumbs={crumbs}
        />
        <Gallery definitions={definitions} />
      </>
    )
  return (
    <>
      <PageHead
        title={`A new destination: ${chosen.displayName}`}
        note="Nothing is sent before you connect a source."
        state={<LetterMark name={chosen.displayName} />}
        crumbs={[...crumbs, { text: 'All types', href: addressOf('/destinations/new') }]}
      />
      <DestinationForm key={type} definition={chosen} destination={undefined} pending={0} onSaved={() => {}} />
    </>
  )
}
