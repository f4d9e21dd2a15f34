import { type AccountRule, oauth2 } from '../../define/account/account-rule.ts'
import { text } from './field.ts'

/** Settings of an account at a platform with OAuth 2.0. @param platform name for people. */
export function oauthSettings(platform: string) {
  const group = 'Account'
  return {
    clientId: text({
      title: 'Client id',
      description: `Id of an OAuth client of ${platform}.`,
      group,
      isUnlisted: true,
    }),
    clientSecret: text({ title: 'Client secret', description: 'Secret of the OAuth client.', group, isUnlisted: true }),
    refreshToken: text({
      title: 'Refresh token',
      description: 'Refresh token of a user who may send the data.',
      group,
      isUnlisted: true,
    }),
  }
}

/** The account of a destination with `oauthSettings`. Its secrets are `clientSecret` and `refreshToken`. */
export function oauthAccount(tokenEndpoint: string): AccountRule {
  const settings = { clientId: 'clientId', clientSecret: 'clientSecret', refreshToken: 'refreshToken' }
  return oauth2({ tokenEndpoint, grant: 'refresh_token', settings })
}
