import { type Static, Type } from 'typebox'
import { field } from '../../kit/index.ts'

/** The settings of the Attentive Tag destination. Source: RudderStack docs, Attentive Tag destination. */
export const attentiveTagSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'Key of the app in Attentive.' }),
  signUpSourceId: field.textOrNull({
    title: 'Sign-up source id',
    description: 'Id of the sign-up unit that subscribes users. Events may have their own.',
    allowed: 'a text',
  }),
  enableNewIdentifyFlow: field.flag({
    title: 'New identify flow',
    description: 'Sends identifiers and attributes of identified users, instead of subscribing them.',
  }),
})

export type AttentiveTagSettings = Static<typeof attentiveTagSettings>
