import { field } from '@sluice/destinations/kit'

const rows = 'Rows'
const loads = 'Loads'

/** Settings that all warehouses have. The names of those that RudderStack knows are its own. */
export const warehouseSettings = {
  syncSeconds: field.integer({
    title: 'Longest wait',
    description: 'Seconds after which collected events are loaded.',
    default: 30,
    minimum: 1,
    maximum: 86_400,
    group: loads,
    isUnlisted: true,
    isFixed: true,
  }),
  syncEvents: field.integer({
    title: 'Events of a load',
    description: 'Collected events after which a load begins before its time.',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000,
    group: loads,
    isUnlisted: true,
    isFixed: true,
  }),
  newTablesPerHour: field.integer({
    title: 'New tables per hour',
    description:
      'Tables named after events that one source may add in an hour. Further new events are in the table tracks only, unless it is skipped.',
    default: 1_000,
    minimum: 1,
    maximum: 100_000,
    group: loads,
    isUnlisted: true,
    isFixed: true,
  }),
  loadMode: field.choiceOf(
    { merge: 'Merge: a row replaces the one with the same id', append: 'Append: rows are only added' },
    {
      title: 'Rows that are there already',
      description:
        'What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two rows.',
      default: 'merge',
      group: loads,
      isUnlisted: true,
      isFixed: true,
    },
  ),
  mergeWindowDays: field.integer({
    title: 'Window for merging',
    description:
      'Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no window.',
    default: 0,
    minimum: 0,
    maximum: 3_650,
    group: loads,
    isUnlisted: true,
    isFixed: true,
  }),
  skipTracksTable: field.flag({
    title: 'Skip the table tracks',
    description: 'Stores track events only in the tables that are named after them.',
    group: rows,
    isFixed: true,
  }),
  skipUsersTable: field.flag({
    title: 'Skip the table users',
    description: 'Stores identify events only in the table identifies.',
    group: rows,
    isFixed: true,
  }),
  storeFullEvent: field.flag({
    title: 'Store the whole event',
    description: 'Adds the column rudder_event with the whole event as JSON to the tables of all events.',
    group: rows,
    isFixed: true,
  }),
  allowUsersContextTraits: field.flag({
    title: 'Traits of the context as columns',
    description: 'Stores context.traits of identify events as columns of users, too.',
    group: rows,
    isFixed: true,
  }),
  underscoreDivideNumbers: field.flag({
    title: 'Underscores around digits',
    description: 'Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2.',
    group: rows,
    isFixed: true,
  }),
  jsonPaths: field.text({
    title: 'JSON columns',
    description:
      'Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for properties of track events.',
    placeholder: 'track.properties.cart, identify.traits.address',
    group: rows,
    isFixed: true,
  }),
} as const

const { loadMode: _, mergeWindowDays: __, ...others } = warehouseSettings
/** The same, of products to which rows can only be added. */
export const appendSettings = others

/** The setting for the schema of the tables. */
export const namespaceSetting = {
  namespace: field.text({
    title: 'Namespace',
    description: 'Schema in which the tables are created. Default: sluice.',
    placeholder: 'sluice',
    isFixed: true,
  }),
} as const

/** Values of the settings that all warehouses have. */
export interface WarehouseSettings {
  readonly syncSeconds: number
  readonly syncEvents: number
  readonly newTablesPerHour: number
  /** Absent where rows can only be added. */
  readonly loadMode?: 'merge' | 'append'
  readonly mergeWindowDays?: number
  readonly skipTracksTable: boolean
  readonly skipUsersTable: boolean
  readonly storeFullEvent: boolean
  readonly allowUsersContextTraits: boolean
  readonly underscoreDivideNumbers: boolean
  readonly jsonPaths?: string
}
