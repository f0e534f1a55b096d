/** Sign-in and onboarding, by JSON or by a form without script, so that a password never becomes part of a URL. */
import { z } from 'zod';
import {
  acceptInvitation,
  audit,
  busySeconds,
  type ClientInfo,
  completePasswordReset,
  countRefusal,
  createPasswordReset,
  findInvitationByToken,
  findPasswordResetUser,
  invitationState,
  isEmailTaken,
  isUsedPassword,
  type PasskeySignInResult,
  passkeyOptions,
  passwordError,
  runInTurn,
  type SecondFactorResult,
  type SignInResult,
  signIn,
  signInWithPasskey,
  signInWithSecondFactor,
  signOut,
  slowRefusal,
  usedPasswordError,
} from '../../auth/index.ts';
import { now } from '../../db/clock.ts';
import type { ClientIp, HttpRequest, HttpResult, Route } from '../../http/index.ts';
import { retryAfterForAddress } from '../../risk/index.ts';
import { log } from '../../telemetry/index.ts';
import { assertionField, type UnlockResult, unlockSession } from '../account/identity.ts';
import {
  errorResponse,
  foreignOrigin,
  isFormPost,
  isOwnOrigin,
  jsonResponse,
  readBody,
  redirect,
  withCookies,
} from '../guard.ts';
import { enrolPath, homePath, lockedPath, safeNext, secondStepPath, signInPath } from '../paths.ts';
import { nameField, sendReset } from '../users/users.ts';
import { signInErrorText } from './labels.ts';

const signInForm = z.object({ email: z.email().max(254), password: z.string().min(1).max(128) });
const typedCode = z
  .string()
  .max(64)
  .transform((text) => text.replace(/\s/g, ''));
const passkeyForm = z.object({ passkey: assertionField });
const secondForm = z.union([
  z.object({ way: z.enum(['totp', 'recovery']), code: typedCode }),
  passkeyForm.extend({ way: z.literal('passkey') }),
]);

/** A form of the sign-in, with the page after it. */
async function readForm<Form>(request: HttpRequest, form: z.ZodType<Form>) {
  const input = await readBody(request);
  return { parsed: form.safeParse(input), next: safeNext((input as { next?: unknown } | undefined)?.next), at: now() };
}

const handleSignIn: Route['run'] = async (request, _params, clientIp) => {
  const { parsed, next, at } = await readForm(request, signInForm);
  const done: SignInResult = parsed.success
    ? await signIn(parsed.data, clientInfo(request, clientIp), at)
    : { kind: 'wrong', left: null };
  if (done.kind !== 'done' && done.kind !== 'second') return failSignIn(request, done, at, signInPath, { next });
  const step = done.kind === 'second' ? secondStepPath : done.enrol ? enrolPath : null;
  const page = step === null ? next : `${step}?${new URLSearchParams({ next })}`;
  return continueTo(request, page, done.setCookie, done.kind === 'second' ? { ways: done.ways } : {});
};

const handleSecondFactor: Route['run'] = async (request, _params, clientIp) => {
  const { parsed, next, at } = await readForm(request, secondForm);
  if (!parsed.success) return invalidRequest();
  const done = await signInWithSecondFactor(parsed.data, clientInfo(request, clientIp), at);
  if (done.kind === 'done') return continueTo(request, next, done.setCookie);
  const page = done.kind === 'gone' ? signInPath : secondStepPath;
  return failSignIn(request, done, at, page, { next, ...(parsed.data.way !== 'totp' && { way: parsed.data.way }) });
};

const optionsForm = z.object({ purpose: z.enum(['sign_in', 'second_step', 'confirmation']) });

const handlePasskeyOptions: Route['run'] = async (request) => {
  const { parsed, at } = await readForm(request, optionsForm);
  if (!parsed.success) return invalidRequest();
  const options = await passkeyOptions(parsed.data.purpose, request.headers);
  return options ? jsonResponse(200, options) : failSignIn(request, { kind: 'gone' }, at, signInPath, {});
};

const handlePasskeySignIn: Route['run'] = async (request, _params, clientIp) => {
  const { parsed, next, at } = await readForm(request, passkeyForm);
  if (!parsed.success) return invalidRequest();
  const done = await signInWithPasskey(parsed.data.passkey, clientInfo(request, clientIp), at);
  if (done.kind === 'done') return continueTo(request, next, done.setCookie);
  return failSignIn(request, done, at, signInPath, { next });
};

const unlockForm = z.union([
  z.object({ code: typedCode }),
  z.object({ password: signInForm.shape.password }),
  passkeyForm,
]);

const handleUnlock: Route['run'] = async (request) => {
  const { parsed, next, at } = await readForm(request, unlockForm);
  if (!parsed.success) return invalidRequest();
  const done = await unlockSession(parsed.data, request.headers, at);
  if (done.kind === 'done') return continueTo(request, next, done.setCookie);
  return failSignIn(request, done, at, done.kind === 'gone' ? signInPath : lockedPath, { next });
};

/** The origin of a request, as a session stores it. */
export function clientInfo(request: HttpRequest, { address }: ClientIp): ClientInfo {
  const { headers } = request;
  return { address, userAgent: headers.get('user-agent')?.slice(0, 255) ?? null, headers };
}

/** Sends the browser, or the page's script, to the next page. */
export function continueTo(request: HttpRequest, next: string, cookies: string[] = [], more: object = {}): HttpResult {
  return withCookies(isFormPost(request) ? redirect(next) : jsonResponse(200, { next, ...more }), cookies);
}

type AnyResult = SignInResult | SecondFactorResult | PasskeySignInResult | UnlockResult;
type FailedSignIn = Exclude<AnyResult, { kind: 'done' | 'second' }>;

// Without script the page is rendered again with the reason; with script the page shows it itself.
function failSignIn(request: HttpRequest, done: FailedSignIn, at: Date, page: string, query: object): HttpResult {
  if (done.kind === 'slow') countRefusal(slowRefusal);
  const count = retryCount(done, at);
  if (isFormPost(request)) {
    return redirect(`${page}?${new URLSearchParams({ fault: done.kind, count: count ?? '', ...query })}`);
  }
  const wait = 'seconds' in done ? done.seconds : done.kind === 'locked' ? secondsUntil(done.until, at) : 0;
  const text = signInErrorText(done.kind, count);
  return wait > 0 ? errorResponse(429, text, { retryAfterSeconds: wait }) : errorResponse(401, text);
}

/** The attempts left, the minutes of a lock, or the seconds to wait. */
function retryCount(done: FailedSignIn, at: Date): string | null {
  if ('seconds' in done) return String(done.seconds);
  if (done.kind === 'locked') return String(Math.ceil(secondsUntil(done.until, at) / 60));
  return 'left' in done ? (done.left?.toString() ?? null) : null;
}

function secondsUntil(until: Date, at: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
}

/** A route that requires no permission: a POST of the dashboard's own pages. */
export const openRoute = (path: string, run: Route['run']): Route => ({
  method: 'POST',
  path: `${homePath}/api${path}`,
  run: (request, params, clientIp) => (isOwnOrigin(request) ? run(request, params, clientIp) : foreignOrigin()),
});

const invalidRequest = () => errorResponse(400, 'The request is not valid.');

/** A route that counts as a sign-in of its address, before anything is read; `page` shows that there were too many. */
const limitedRoute = (path: string, page: string, run: Route['run']) =>
  openRoute(path, async (request, params, clientIp) => {
    const seconds = retryAfterForAddress('sign_in', clientIp.address);
    if (seconds > 0) return failSignIn(request, { kind: 'slow', seconds }, now(), page, {});
    return run(request, params, clientIp);
  });

/** Sign-in and sign-out. */
export const signInRoutes: Route[] = [
  limitedRoute('/sign-in', signInPath, handleSignIn),
  limitedRoute('/sign-in/code', secondStepPath, handleSecondFactor),
  limitedRoute('/sign-in/passkey', signInPath, handlePasskeySignIn),
  limitedRoute('/passkey-options', signInPath, handlePasskeyOptions),
  limitedRoute('/unlock', lockedPath, handleUnlock),
  openRoute('/sign-out', async (request) => continueTo(request, signInPath, await signOut(request.headers, now()))),
];

const brokenLink = 'The link is incomplete.';
const token = z.string(brokenLink).regex(/^[\w-]{43}$/, brokenLink);
const passwordField = z.string('Enter a password.').max(1000);
const acceptForm = z.object({ token, name: nameField, password: passwordField });
const forgottenForm = z.object({ email: z.email('Enter an email address such as name@example.com.').max(254) });
const resetForm = z.object({ token, password: passwordField });

type Handler<Form> = (request: HttpRequest, form: Form, clientIp: ClientIp) => Promise<HttpResult>;

/** A route that reads a form; `page` shows its errors. */
const formRoute = <Form>(path: string, form: z.ZodType<Form>, page: string | null, handle: Handler<Form>) =>
  limitedRoute(path, signInPath, async (request, _params, clientIp) => {
    const parsed = form.safeParse(await readBody(request));
    if (parsed.success) return handle(request, parsed.data, clientIp);
    if (parsed.error.issues.some(({ path: name }) => name.length === 0)) return invalidRequest();
    const fields = parsed.error.issues.map(({ path: name, message }) => [name.join('.'), message]);
    return failForm(request, Object.fromEntries(fields), page);
  });

const taken = 'This email has an account already. Sign in with it.';

const handleInvitation: Handler<z.infer<typeof acceptForm>> = async (request, { token, name, password }, clientIp) => {
  const page = `${homePath}/invitation/${token}`;
  const at = now();
  const invitation = await findInvitationByToken(token);
  if (!invitation || invitationState(invitation, at) !== 'open') return failForm(request, {}, page);
  if (await isEmailTaken(invitation.email, null))
    return isFormPost(request) ? redirect(page) : errorResponse(409, taken);
  const accepted = await runInTurn(clientIp, async () => {
    const error = await passwordError(password, { email: invitation.email, name });
    return error ? { error } : { id: await acceptInvitation(token, { name, password }, at) };
  });
  if (!accepted) return failSignIn(request, { kind: 'slow', seconds: busySeconds }, at, signInPath, {});
  if (accepted.error !== undefined) return failForm(request, { password: accepted.error }, page);
  const { id } = accepted;
  if (id === null) return failForm(request, {}, page);
  await audit({ actor: `user:${id}`, action: 'invitation.accept', subject: `user:${id}` }, at);
  const done = await signIn({ email: invitation.email, password }, clientInfo(request, clientIp), at);
  const next = done.kind === 'done' && done.enrol ? enrolPath : done.kind === 'done' ? homePath : signInPath;
  return continueTo(request, next, done.kind === 'done' ? done.setCookie : []);
};

// The answer and its timing do not reveal whether the account exists: the email is sent afterwards.
const handleForgottenPassword: Handler<z.infer<typeof forgottenForm>> = async (request, { email }) => {
  sendLink(email, now()).catch((err) => log.error({ err }, 'password reset email was not sent'));
  return isFormPost(request) ? redirect(`${signInPath}/forgotten?sent=1`) : jsonResponse(200, {});
};

async function sendLink(email: string, at: Date): Promise<void> {
  const reset = await createPasswordReset(email, at);
  if (!reset) return;
  await audit({ actor: 'unauthenticated', action: 'password.forgotten', subject: `user:${reset.userId}` }, at);
  await sendReset(reset, at);
}

const handlePasswordReset: Handler<z.infer<typeof resetForm>> = async (request, form, clientIp) =>
  (await runInTurn(clientIp, () => resetPassword(request, form))) ??
  failSignIn(request, { kind: 'slow', seconds: busySeconds }, now(), signInPath, {});

async function resetPassword(request: HttpRequest, { token, password }: z.infer<typeof resetForm>) {
  const page = `${signInPath}/new-password/${token}`;
  const at = now();
  const person = await findPasswordResetUser(token, at);
  if (!person) return failForm(request, {}, page);
  const used = async () => ((await isUsedPassword(person.id, password)) ? usedPasswordError : null);
  const error = (await passwordError(password, person)) ?? (await used());
  if (error) return failForm(request, { password: error }, page);
  await audit({ actor: `user:${person.id}`, action: 'password.reset', subject: `user:${person.id}` }, at);
  const setCookie = await completePasswordReset(token, password, request.headers, at);
  return setCookie ? continueTo(request, `${signInPath}?fresh=1`, setCookie) : failForm(request, {}, page);
}

// Without script the page is rendered again with the error at its field; the page of an expired link shows that itself.
function failForm(request: HttpRequest, fields: Record<string, string>, page: string | null): HttpResult {
  const [[field, text] = ['', 'This link has expired.']] = Object.entries(fields);
  if (!isFormPost(request)) return field === '' ? errorResponse(410, text) : errorResponse(400, text, { fields });
  return redirect(page === null ? signInPath : `${page}?${new URLSearchParams({ fault: field })}`);
}

/** Onboarding by a link. */
export const onboardingRoutes: Route[] = [
  formRoute('/invitation', acceptForm, null, handleInvitation),
  formRoute('/password/forgotten', forgottenForm, `${signInPath}/forgotten`, handleForgottenPassword),
  formRoute('/password/reset', resetForm, null, handlePasswordReset),
];
