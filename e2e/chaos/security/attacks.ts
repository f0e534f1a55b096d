// The attacks that the project is held against: every finding of the security reviews, and the classes of OWASP ASVS 5
// that a program can try. Each line names the test that holds it, so an attack whose test is renamed or removed fails.

/** An attack: the class, its id in the reviews if it was found there, and the test by its file and a part of its title. */
export type Attack = { kind: string; id: string; file: string; title: string };

// id (of the review, or -) | file | a part of the title as it is written in the file; * for the whole file
const table: { [kind: string]: string } = {
  'Hashes that a payer knows': `
    S-1 | e2e/api/payer-known-values.spec.ts | opens no session and makes no payout
    S-1 | e2e/api/payer-known-values.spec.ts | is no hash of any other request
    S-1 | e2e/api/payer-known-values.spec.ts | whose code occurs inside the payment's id
    S-1 | e2e/api/payer-known-values.spec.ts | removes no card token
    S-2 | e2e/api/payer-known-values.spec.ts | is known to the payer, too
    S-2 | e2e/api/payer-known-values.spec.ts | is not enough, according to the documentation of receivers
    m3 | e2e/api/strong-signatures.spec.ts | without it, an order that exists and one that does not have the same answer
    m9 | e2e/api/payer-return.spec.ts | with the transaction id instead of the token
    m13 | e2e/api/strong-signatures.spec.ts | needs the strong signature or an allowlist
    m13 | e2e/api/strong-signatures.spec.ts | with the strong signature alone`,
  'Hash checking': `
    - | e2e/api/authentication.spec.ts | the hash of a session
    - | e2e/api/authentication.spec.ts | the merchant key
    - | e2e/api/payment-status.spec.ts | a wrong hash is rejected at every address
    - | e2e/api/s2s-modifications.spec.ts | a hash over another card, or by another formula, is not valid
    - | e2e/api/strong-signatures.spec.ts | is accepted once
    - | e2e/api/strong-signatures.spec.ts | of many at once is accepted once
    - | e2e/api/strong-signatures.spec.ts | of a GET covers the query`,
  'Tenant isolation, APIs': `
    - | e2e/api/security-isolation.spec.ts | every action has an attack
    - | e2e/api/security-isolation.spec.ts | every action refuses another merchant's ids
    - | e2e/api/payment-status.spec.ts | another merchant's payment
    - | e2e/api/card-tokens.spec.ts | tokens that cannot be removed
    - | e2e/api/payouts.spec.ts | rejects a wrong hash and objects of another merchant
    - | e2e/api/idempotency.spec.ts | keys of other payments and other merchants are independent`,
  'Tenant isolation, dashboard': `
    - | e2e/api/dashboard-endpoint-permissions.spec.ts | another merchant's ids are not found, and no list contains them
    - | e2e/api/dashboard-endpoint-permissions.spec.ts | another merchant's ids in bodies and queries are refused
    - | e2e/api/dashboard-permissions.spec.ts | a list and a search return no payments of another merchant
    - | e2e/api/dashboard-objects.spec.ts | a list contains no objects of another merchant
    - | e2e/api/dashboard-wallets.spec.ts | other merchants can neither see nor change it
    - | e2e/api/dashboard-unresolved.spec.ts | another merchant can neither see nor close an item
    - | e2e/api/dashboard-callbacks.spec.ts | and none of another merchant
    - | e2e/api/evidence.spec.ts | and no one of another merchant`,
  'Roles and rights': `
    - | e2e/api/dashboard-endpoint-permissions.spec.ts | every endpoint has a policy
    - | e2e/api/dashboard-endpoint-permissions.spec.ts | reaches what the role allows
    - | e2e/api/dashboard-users.spec.ts | each role can be assigned by the permitted roles
    - | e2e/api/dashboard-users.spec.ts | never by themselves
    - | e2e/api/dashboard-auth.spec.ts | sensitive actions require a re-authentication
    - | e2e/api/dashboard-merchants.spec.ts | passwords are shown only after a recent re-authentication`,
  'Second factor': `
    S-3 | e2e/api/dashboard-auth.spec.ts | with guessed codes
    S-3 | e2e/api/dashboard-auth.spec.ts | a correct code resets the counter of wrong codes
    S-3 | e2e/api/dashboard-auth.spec.ts | counts its failures separately
    m14 | e2e/api/dashboard-auth.spec.ts | a second factor can be required of every role
    - | e2e/api/dashboard-auth.spec.ts | gives no access between the steps
    - | e2e/api/dashboard-auth.spec.ts | cannot be bypassed with a cookie of no user
    - | e2e/api/dashboard-auth.spec.ts | is set up in the session that has its secret
    - | e2e/api/dashboard-auth.spec.ts | can be replaced by each recovery code once`,
  Passkeys: `
    - | e2e/api/dashboard-passkeys.spec.ts | but not
    - | e2e/api/dashboard-passkeys.spec.ts | once with a challenge, which expires and belongs to the session
    - | e2e/api/dashboard-passkeys.spec.ts | only after the present second factor, or a recent proof
    - | e2e/api/dashboard-passkeys.spec.ts | up to ten times, and never again by another user
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | starts a session, once for a challenge
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | is refused with an expired challenge, or one of another use
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | is refused to a disabled user, and with a removed passkey
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | of a copied passkey is in the audit log
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | that fails ten times locks the second factor
    - | e2e/api/dashboard-passkey-sign-in.spec.ts | or answers another pending sign-in`,
  'Passwords and locks': `
    S-5 | e2e/api/dashboard-sign-in.spec.ts | that is common, guessable or has no digit
    S-5 | e2e/api/dashboard-sign-in.spec.ts | is not one of the last four
    S-5 | lib/auth/password-rules.test.ts | is refused
    m2 | e2e/api/dashboard-sign-in.spec.ts | at most three links an hour
    m4 | e2e/api/dashboard-sign-in.spec.ts | is not locked out by a stranger
    - | e2e/clock/sign-in.spec.ts | ten wrong passwords lock an account
    - | e2e/clock/sign-in.spec.ts | many attempts from one address get 429`,
  Enumeration: `
    - | e2e/clock/sign-in.spec.ts | an unknown e-mail gets the same answer as any other
    - | e2e/api/s2s-modifications.spec.ts | an unknown, an outdated and a closed key get the answer of a wrong signature
    - | e2e/api/callbacks.spec.ts | has one error text for every kind of failure
    - | e2e/api/invalid-wallet-tokens.spec.ts | gets one answer, and no money moves`,
  'Invitations and password links': `
    m1 | e2e/api/edge.spec.ts | a page under a foreign name reads no link to an account
    - | e2e/api/security-http.spec.ts | links in e-mails have the address of the deployment
    - | e2e/api/dashboard-users.spec.ts | stores only a digest of its link
    - | e2e/api/dashboard-users.spec.ts | takes no name with several lines
    - | e2e/api/dashboard-users.spec.ts | can be withdrawn by users of its own merchant only
    - | e2e/api/dashboard-auth.spec.ts | a forgotten password is reset by a link, once`,
  'Sessions and cookies': `
    S-7 | e2e/api/dashboard-sign-in.spec.ts | a session that is not used
    S-7 | lib/config/config.test.ts | locks a session of the dashboard after 15 minutes at most in production
    - | e2e/api/dashboard-auth.spec.ts | a session ends
    - | e2e/api/dashboard-auth.spec.ts | before it begins, when the password changes
    - | e2e/api/dashboard-permissions.spec.ts | cannot be opened with an unsigned cookie
    - | e2e/api/dashboard-permissions.spec.ts | has a cookie that scripts cannot read and other sites do not send
    - | e2e/api/dashboard-permissions.spec.ts | ends when its user signs out
    - | e2e/api/security-production.spec.ts | gives cookies that scripts and other hosts do not have`,
  'Security events': `
    S-4 | e2e/api/dashboard-sign-in.spec.ts | each failed sign-in with its address
    S-4 | e2e/api/dashboard-sign-in.spec.ts | each request and each page without the permission
    - | e2e/api/dashboard-users.spec.ts | is an append-only hash chain`,
  'Values at rest': `
    m15 | e2e/vault/wrong-rows.spec.ts | the passwords of two merchants
    m15 | e2e/vault/wrong-rows.spec.ts | a key that was given to another merchant
    m15 | e2e/vault/wrong-rows.spec.ts | the numbers of two cards
    m15 | e2e/vault/wrong-rows.spec.ts | the settings of two MIDs
    m15 | e2e/vault/wrong-rows.spec.ts | the secret parameters of two payments
    m15 | lib/vault/cipher.test.ts | bytes is refused
    m15 | lib/auth/audit-chain.test.ts | reports entries that were made again without the key
    m15 | lib/auth/audit-chain.test.ts | reports exchanged entries
    - | lib/vault/key-source.test.ts | is asked three times at most, and the error has no secret
    - | lib/vault/key-source.test.ts | a refused token is an error and not another key`,
  'Signing helpers of the dashboard': `
    - | e2e/api/dashboard-request-builder.spec.ts | a name that leads to the prototype of objects
    - | e2e/api/dashboard-request-builder.spec.ts | is available to users who may send requests
    - | e2e/api/dashboard-developers.spec.ts | shows the whole correct hash only to users
    - | e2e/api/dashboard-developers.spec.ts | explains no request of another merchant
    - | e2e/api/dashboard-callbacks.spec.ts | verifies no longer values than callbacks have
    - | lib/docs/samples/shell.test.ts | *
    - | e2e/api/security-production.spec.ts | signs nothing for a session without a recent proof of identity`,
  CSRF: `
    - | e2e/api/dashboard-permissions.spec.ts | only the dashboard's own pages may act
    - | e2e/api/dashboard-endpoint-permissions.spec.ts | and neither does a page of another site
    - | e2e/api/payment-page.spec.ts | is protected against forms of other origins
    - | e2e/api/security-http.spec.ts | no origin may read answers with a session or act with it`,
  'Injection, XSS and framing': `
    - | e2e/api/injection.spec.ts | the table of routes
    - | e2e/api/injection.spec.ts | the dashboard API for a user who may read everything
    - | e2e/api/injection.spec.ts | the app's pages, with and without a session
    - | e2e/api/dashboard-permissions.spec.ts | values that the database cannot store are rejected everywhere
    - | e2e/api/payment-page.spec.ts | are strict on every document
    - | e2e/pages/shop-frame.spec.ts | no other origin does
    - | e2e/pages/hosted-fields.spec.ts | a hostile page cannot read a frame
    m6 | lib/dashboard/lists/csv.test.ts | writes`,
  'Scripts of payment pages': `
    - | e2e/api/script-inventory.spec.ts | the served scripts are those of the build
    - | e2e/api/script-inventory.spec.ts | one changed byte of
    - | e2e/api/script-inventory.spec.ts | is not the approved one`,
  Redirects: `
    - | e2e/api/client-compatibility.spec.ts | are rejected for any other scheme
    - | e2e/api/session-update.spec.ts | cannot become
    - | lib/dashboard/paths.test.ts | *`,
  'Links and forms of payers': `
    - | e2e/api/payment-page.spec.ts | that are forged all lead to the same page
    - | e2e/api/payment-page.spec.ts | with a fields token do not open the page
    - | e2e/api/payment-page.spec.ts | are final after success
    - | e2e/api/payment-page.spec.ts | accepts form fields only, up to the size of a form
    - | e2e/api/session-update.spec.ts | requires the hash for members that a payer cannot type
    - | e2e/api/session-update.spec.ts | a form that shows the old amount pays nothing`,
  SSRF: `
    - | lib/http/guarded-client.hostile.test.ts | *
    - | lib/http/guarded-client.test.ts | *
    m10 | lib/connectors/http.targets.test.ts | *
    m10 | lib/dashboard/mids/to-settings.test.ts | of a live MID at %s
    - | e2e/api/callbacks.spec.ts | a redirect is not followed
    - | e2e/api/dashboard-merchants.spec.ts | sends the stored key to its own host only
    - | lib/config/config.test.ts | forbids private targets in production
    - | e2e/api/payer-return.spec.ts | without end, with the transaction id: the provider is asked once`,
  'Hostile providers and receivers': `
    - | lib/connectors/http.test.ts | is unknown, and nothing is sent twice
    - | lib/connectors/http.test.ts | has the provider data without malformed members
    - | lib/connectors/http.test.ts | contains its operation if the signature is valid
    - | e2e/clock/security-events.spec.ts | events reach a syslog server over TLS and the log`,
  Races: `
    - | e2e/api/idempotency.spec.ts | twenty concurrent requests to two processes move it once
    - | e2e/api/idempotency.spec.ts | of 40 concurrent refunds of 1.00 of 30.00
    - | e2e/api/payer-return.spec.ts | a capture and a reversal at once
    - | e2e/api/repeated-orders.spec.ts | twenty equal requests at once open one payment
    - | e2e/api/hosted-fields.spec.ts | pays once for twenty calls at once
    - | e2e/api/wallets.spec.ts | twenty at once are one charge
    - | e2e/api/dashboard-permissions.spec.ts | two identical concurrent decisions move the money once`,
  'Amounts and texts': `
    - | e2e/api/refunds.spec.ts | has an invalid amount
    - | e2e/api/session-update.spec.ts | cannot become
    - | lib/core/money.test.ts | is not an amount
    - | e2e/api/repeated-orders.spec.ts | because signatures cover the text`,
  'Bodies: depth, size, prototypes': `
    - | e2e/api/authentication.spec.ts | malformed bodies
    - | e2e/api/authentication.spec.ts | members of the wrong type never reach the database
    - | lib/http/body-form.test.ts | *
    m16 | lib/http/body-json.test.ts | *
    m7 | lib/core/card-text.test.ts | *
    m7 | e2e/api/masked-card-numbers.spec.ts | *
    m7 | e2e/api/card-data-in-addresses.spec.ts | *
    - | lib/server/hostile-texts.test.ts | *`,
  'HTTP layer': `
    S-6 | e2e/api/protocol-upgrades.spec.ts | upgrades
    S-6 | lib/server/http-server.test.ts | refuses upgrades and answers offers of h2c
    S-8 | e2e/api/edge.spec.ts | every answer of a server with https demands encryption
    S-8 | lib/config/config.test.ts | in production
    m5 | e2e/api/slow-clients.spec.ts | headers that never end
    m5 | e2e/api/slow-clients.spec.ts | a body that never ends
    m5 | e2e/api/slow-clients.spec.ts | an idle connection is closed after 65 seconds
    m5 | e2e/api/connection-limit.spec.ts | *
    m8 | e2e/api/edge.spec.ts | pages and files take GET and HEAD only
    m17 | lib/server/client-ip.test.ts | *
    m17 | e2e/api/operations.spec.ts | readiness names every dependency, for requests with the token only
    - | e2e/api/security-http.spec.ts | is refused, and nothing after it is read
    - | e2e/api/security-http.spec.ts | headers and methods without a meaning here
    - | e2e/api/security-http.spec.ts | the header by which Next skips its checks changes nothing
    - | e2e/api/security-http.spec.ts | no path leaves its folder`,
  'Rate limits and card testing': `
    - | e2e/api/authentication.spec.ts | ignores forwarding headers of the caller
    - | e2e/api/rate-limits.spec.ts | sign-in attempts are counted before the password is checked
    - | e2e/api/rate-limits.spec.ts | all addresses of an IPv6 network count as one
    - | e2e/api/rate-limits.spec.ts | several processes count together
    - | e2e/api/rate-limits.spec.ts | files of a payment have a limit
    - | lib/http/pdf.test.ts | are drawn one at a time
    - | e2e/api/message-limits.spec.ts | *
    - | e2e/api/dashboard-limits.spec.ts | *
    - | e2e/api/card-testing.spec.ts | a hundred cards of one BIN
    - | e2e/api/card-testing.spec.ts | one card number with many expiry dates
    - | e2e/api/card-testing-open.spec.ts | *
    - | lib/risk/card-testing.test.ts | *`,
  'Secrets in answers and logs': `
    - | e2e/api/dashboard-permissions.spec.ts | the dashboard returns no card number
    - | e2e/api/dashboard-merchants.spec.ts | no answer and no audit log entry contains a secret
    - | e2e/api/dashboard-wallets.spec.ts | no answer and no audit log entry contains a secret
    - | e2e/api/dashboard-developers.spec.ts | contains a sale without its card number
    - | lib/request-log/record.test.ts | in any text, as the payment does
    - | lib/request-log/record.test.ts | has the length of a body that could not be read, and none of its text
    - | lib/request-log/record.test.ts | that was sent as a form: it is the name of a field
    - | lib/request-log/record.test.ts | that anyone can have sent has a short text, or the whole one
    - | e2e/api/wallets.spec.ts | number and cryptogram appear in no log and in no row
    - | lib/telemetry/log.test.ts | *
    - | e2e/api/operations.spec.ts | shows no secret`,
  'Production surface': `
    - | e2e/api/security-production.spec.ts | has no address of the sandbox
    - | e2e/api/security-production.spec.ts | shows no internals without a token
    - | e2e/api/security-production.spec.ts | accepts no key of the sandbox
    m12 | e2e/api/edge.spec.ts | and no list of payments
    m12 | e2e/api/provider.spec.ts | rejects unknown payments and unknown outcomes
    m12 | e2e/api/security-production.spec.ts | has no address of the sandbox
    - | e2e/api/operations.spec.ts | metrics require the token`,
  'Wallet tokens and key files': `
    - | e2e/api/invalid-wallet-tokens.spec.ts | every invalid token of
    - | lib/wallets/tamper.test.ts | *
    - | lib/wallets/apple.test.ts | *
    - | lib/wallets/google.test.ts | *
    - | e2e/api/dashboard-wallets.spec.ts | *`,
  'Supply chain': `
    m11 | scripts/lock-file.test.ts | *
    m11 | scripts/pins.test.ts | *`,
};

/** Every attack, class by class. */
export const attacks: readonly Attack[] = Object.entries(table).flatMap(([kind, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', file = '', title = ''] = line.split(' | ').map((cell) => cell.trim());
      return { kind, id, file, title };
    }),
);
