import { type Static, Type } from 'typebox'
import { field } from '../../kit/index.ts'

const access = 'Access'

/** The settings of the Salesforce destination. Source: RudderStack docs, Salesforce destination. */
export const salesforceSettings = Type.Object({
  userName: field.text({ title: 'User name', description: 'User that changes the records.', group: access }),
  password: field.text({ title: 'Password', description: 'Password of the user.', group: access }),
  initialAccessToken: field.text({
    title: 'Security token',
    description: 'Security token of the user, which Salesforce sends by email.',
    group: access,
  }),
  mapProperties: field.flag({
    title: 'Map traits',
    description: 'Maps traits to fields of leads and contacts. When off, traits are sent as they are.',
    default: true,
  }),
  sandbox: field.flag({ title: 'Sandbox', description: 'Uses the sandbox of the organization.', group: access }),
  useContactId: field.flag({
    title: 'Update converted leads',
    description: 'Updates the contact of a lead that was converted, instead of the lead.',
  }),
  mapProperty: field.optionalFlag({
    title: 'Map traits (older name)',
    description: 'Older name of mapProperties, which it overrides.',
    isUnlisted: true,
  }),
  clientId: field.text({
    title: 'Consumer key',
    description: 'Consumer key of the connected app, which Salesforce needs with a password.',
    group: access,
    isUnlisted: true,
  }),
  clientSecret: field.text({
    title: 'Consumer secret',
    description: 'Consumer secret of the connected app.',
    group: access,
    isUnlisted: true,
  }),
})

export type SalesforceSettings = Static<typeof salesforceSettings>
