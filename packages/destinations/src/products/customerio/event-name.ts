import { convert, instrumentationError, type MappingError, type TypedEvent, valueAt } from '../../kit/index.ts'

export const nameLengthMax = 100 // Customer.io refuses longer names of events

/** Returns the name of a track, page or screen event in Customer.io. */
export function eventNameOf(event: TypedEvent): string | MappingError {
  const name = givenName(event)
  if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name that is a string')
  if (event.type === 'screen') return `Viewed ${name} Screen`
  return event.type === 'track' ? convert.cut(nameLengthMax)(name) : name
}

function givenName(event: TypedEvent): unknown {
  switch (event.type) {
    case 'page':
      return event['name'] || valueAt(event, ['properties', 'url'])
    case 'screen':
      return event['event'] || event['name'] || valueAt(event, ['properties', 'name'])
    default:
      return event['event']
  }
}
