'use client';
// Shows an example in several languages. Radio buttons and CSS switch the language, so that it works without script;
// script stores the choice and applies it to every example of the page.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './language-tabs.module.css';

/** The key in the storage, and the event of a change. */
const chosen = 'florin-docs-language';

type Props = { label: string; panels: { language: string; title: string; block: ReactNode }[] };

export function LanguageTabs({ label, panels }: Props) {
  const name = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const apply = () => {
      const language = localStorage.getItem(chosen);
      const radios = group.current?.querySelectorAll<HTMLInputElement>('input') ?? [];
      for (const radio of radios) if (radio.value === language) radio.checked = true;
    };
    apply();
    window.addEventListener(chosen, apply);
    return () => window.removeEventListener(chosen, apply);
  }, []);
  const choose = (language: string) => {
    localStorage.setItem(chosen, language);
    window.dispatchEvent(new Event(chosen));
  };
  return (
    <fieldset ref={group} className={styles.tabs}>
      <legend className="unseen">{label}</legend>
      {panels.map(({ language, title }, at) => (
        <label key={language} className={styles.tab}>
          <input
            type="radio"
            name={name}
            value={language}
            defaultChecked={at === 0}
            onChange={() => choose(language)}
          />
          <span>{title}</span>
        </label>
      ))}
      {panels.map(({ language, block }) => (
        <div key={language} className={styles.panel} data-language={language}>
          {block}
        </div>
      ))}
    </fieldset>
  );
}
