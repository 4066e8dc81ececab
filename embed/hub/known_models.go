package hub

import (
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Model is a model that the program knows by name, at one commit of its repository.
type Model struct {
	Name       string
	Repository string // repository on the hub
	Commit     string
	Licence    string // SPDX identifier
	Languages  message.Message
	Bytes      int64 // approximate size of its files

	sums map[string]string // SHA-256 of files by path, as far as known
}

var (
	english   = message.NewIn("model", "English")
	chinese   = message.New("Chinese")
	languages = func(n string) message.Message {
		return message.New("%s languages, English and Chinese among them", n)
	}
)

// Models lists all models with a name. The checksums are those that several public projects record
// for copies of the same commit; others are taken from the hub's list for the commit.
var Models = []Model{
	{
		Name: "leaf-ir", Repository: "MongoDB/mdbr-leaf-ir", Commit: "4262131b32c3182bd06e67e92ae69d7bd66e0c5c",
		Licence: "Apache-2.0", Languages: english, Bytes: 93e6,
		sums: map[string]string{
			"2_Dense/model.safetensors": "b3e7c0e1ef65e39a5ef1ca3bc5e4aef5feafb6e204bd161503145ed062f12c69",
		},
	},
	{
		Name: "bge-small-en", Repository: "BAAI/bge-small-en-v1.5", Commit: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
		Licence: "MIT", Languages: english, Bytes: 134e6,
		sums: map[string]string{
			"config.json":       "094f8e891b932f2000c92cfc663bac4c62069f5d8af5b5278c4306aef3084750",
			"model.safetensors": "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
			"tokenizer.json":    "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
		},
	},
	{
		Name: "bge-small-zh", Repository: "BAAI/bge-small-zh-v1.5", Commit: "7999e1d3359715c523056ef9478215996d62a620",
		Licence: "MIT", Languages: chinese, Bytes: 96e6,
		sums: map[string]string{
			"config.json":             "3853a7979202c348751b753e36f579c41d8da7d36af617d3d907e1fc9b441f2a",
			"model.safetensors":       "354763b9b1357bc9c44f62c6be2276321081ed2567773608c0d0785b61d5a026",
			"special_tokens_map.json": "b6d346be366a7d1d48332dbc9fdf3bf8960b5d879522b7799ddba59e76237ee3",
			"tokenizer.json":          "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26",
			"tokenizer_config.json":   "e6f3b96db926a37d4039995fbf5ad17de158dfb8f6343d607e4dbaad18d75f5a",
		},
	},
	{
		Name: "e5-small", Repository: "intfloat/multilingual-e5-small", Commit: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
		Licence: "MIT", Languages: languages("100"), Bytes: 488e6,
		sums: map[string]string{
			"config.json":             "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959",
			"model.safetensors":       "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
			"special_tokens_map.json": "d05497f1da52c5e09554c0cd874037a083e1dc1b9cfd48034d1c717f1afc07a7",
			"tokenizer.json":          "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
			"tokenizer_config.json":   "a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b",
		},
	},
	{
		Name: "granite-97m", Repository: "ibm-granite/granite-embedding-97m-multilingual-r2", Commit: "835ad14087e140460703cf0fae09f97d469d65c2",
		Licence: "Apache-2.0", Languages: languages("200"), Bytes: 220e6,
		sums: map[string]string{
			"1_Pooling/config.json":             "8bc5c9a40814fcf48d2fbe7cfeff4bee6736c3c2a823ba0ce098985c59d12ab7",
			"config.json":                       "de948b0bdc6f356afad7a84b276d8dd7e7fe10fb9add1bb5e610621c28e41ebc",
			"config_sentence_transformers.json": "93a59cbc7d82a47a7148719d9b21c0f2f111121e495b3918143184f4cd0ea25e",
			"model.safetensors":                 "f3ea88b230492811046145513710e76b4cc8c2ad49e8708da0e7247e548903be",
			"modules.json":                      "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
			"sentence_bert_config.json":         "967ef958285e4a7a37d8ff1832473d967edd913b4e48572f31c3d3ea361d5327",
			"special_tokens_map.json":           "013787ee251ff611722479197c00853b62113ad303cb0a36524231783c676c69",
			"tokenizer.json":                    "4f2842d568e2724370aec203652a42ac783c7937f8347a1a2cc7506d71f1582f",
			"tokenizer_config.json":             "6ed69389e30a8ecabfce2f9ebcdf0c908b34056f24d994340f2f216521c057d5",
		},
	},
}

// ModelNames returns the names of all models.
func ModelNames() (names []string) {
	for _, m := range Models {
		names = append(names, m.Name)
	}
	return names
}

// FindModel returns the model with the given name. The error suggests the model that was probably
// meant, or lists all.
func FindModel(name string) (Model, error) {
	for _, m := range Models {
		if m.Name == name {
			return m, nil
		}
	}
	if near := present.NearestName(name, ModelNames()); near != "" {
		return Model{}, message.Errorf("there is no model called %q: did you mean %s?", name, near)
	}
	return Model{}, message.Errorf("there is no model called %q, only %s", name, strings.Join(ModelNames(), ", "))
}

// ModelOfSpec returns the model that a spec of package embed refers to by name, such as
// "local:leaf-ir".
func ModelOfSpec(spec string) (Model, bool) {
	name, local := strings.CutPrefix(strings.TrimSpace(spec), "local:")
	name, _, _ = strings.Cut(name, "?")
	m, err := FindModel(name)
	return m, local && err == nil
}

// SizeText returns the approximate size of the download, for people.
func (m Model) SizeText() string { return megabytes(m.Bytes) }
